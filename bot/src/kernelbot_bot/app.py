"""The bot itself: its parts, its extensions, its end."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from kernelbot_bot.buttons import JobButton
from kernelbot_bot.desk import Desk
from kernelbot_bot.errors import answer
from kernelbot_bot.herald import Herald
from kernelbot_bot.settings import BotSettings
from kernelbot_core.errors import PluginError
from kernelbot_core.plugins import Registry

HOOK = "kernelbot_register_bot_extensions"
log = logging.getLogger(__name__)


class Tree(app_commands.CommandTree["KernelBot"]):
    """Sends every error of a command to the one handler."""

    async def on_error(
        self, interaction: discord.Interaction[KernelBot], error: app_commands.AppCommandError, /
    ) -> None:
        await answer(interaction, error)


class KernelBot(commands.Bot):
    """A front-end of the engine; needs no privileged intent, since commands bring what they are about."""

    tree: Tree

    def __init__(self, options: BotSettings, desk: Desk, **kwargs: Any) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned, help_command=None, intents=intents, tree_cls=Tree,
            allowed_mentions=discord.AllowedMentions.none(), member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False, **kwargs,
        )  # fmt: skip
        self.options, self.desk = options, desk
        self.herald = Herald(self)
        self._caught_up = False
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Before the gateway: load what plugins bring, tell Discord the commands, start the queue."""
        self.add_dynamic_items(JobButton)
        for module in extensions(self.desk.registry):
            try:
                await self.load_extension(module)
            except commands.ExtensionError:
                if module.startswith("kernelbot_bot."):
                    raise
                log.exception("the extension %s is left out", module)
        await self._sync()
        self.herald.start()
        self.desk.dispatcher.start()

    async def on_ready(self) -> None:
        """Also called after each lost connection."""
        log.info("ready", extra={"guilds": len(self.guilds), "bot_id": self.user.id if self.user else None})
        if not self._caught_up:
            self._caught_up = True
            await self.herald.catch_up()
            self.dispatch("kernelbot_start")

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002 - discord.py's
        """A listener failed: the others go on."""
        log.exception("a listener of %s failed", event_method)

    async def close(self) -> None:
        """Let running jobs end, show what has ended, leave; asked twice it is done once."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._drain())
        await asyncio.shield(self._closing)

    async def _drain(self) -> None:
        log.info("stopping: running jobs get %.0f s, queued ones stay queued", self.options.drain_s)
        whole = await asyncio.to_thread(self.desk.dispatcher.stop, self.options.drain_s)
        await asyncio.sleep(0)  # updates of the last step are on their way to this loop
        await self.herald.close(10.0)
        await super().close()
        await asyncio.to_thread(self.desk.close, 0.0)
        log.info("stopped" if whole else "stopped; a job that ran longer is back in the queue")

    async def _sync(self) -> None:
        if not self.options.guilds:
            await self.tree.sync()
            return
        for guild in self.options.guilds:
            self.tree.copy_global_to(guild=discord.Object(guild))
            try:
                await self.tree.sync(guild=discord.Object(guild))
            except discord.Forbidden:
                log.exception(
                    "server %s does not let me add commands: invite the bot with applications.commands", guild
                )


def extensions(registry: Registry) -> list[str]:
    """Modules that plugins bring, each once; one plugin that fails costs only its own."""
    found: list[str] = []
    for plugin in registry.implementing(HOOK):
        try:
            answers = registry.manager.only(plugin.name, HOOK)()
            found += [module for modules in answers for module in _names(modules)]
        except Exception:  # foreign code: the bot must not depend on it
            log.exception("plugin %s of %s failed in %s", plugin.name, plugin.dist, HOOK)
    return list(dict.fromkeys(found))


def _names(modules: object) -> list[str]:
    if not isinstance(modules, list | tuple) or not all(isinstance(name, str) for name in modules):
        raise PluginError(f"it answered {modules!r} instead of a list of module names")
    return list(modules)
