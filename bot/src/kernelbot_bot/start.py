"""From settings to a running process, and out again with one clear line when that cannot be."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal

import aiohttp
import discord
import yarl
from discord.http import Route

from kernelbot_bot import log as lines
from kernelbot_bot.app import KernelBot
from kernelbot_bot.desk import open_desk
from kernelbot_bot.settings import BotSettings, token
from kernelbot_core.engine.archive import check_store
from kernelbot_core.errors import InfrastructureError, UsageError
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings, origin

log = logging.getLogger(__name__)
PORTAL = "discord.com/developers/applications"


def start(options: BotSettings, *, check: bool = False) -> int:
    """Run until SIGTERM or SIGINT.

    :raises UserError: Token, intents, settings, store or queue are wrong; the line says which and what to do.
    """
    secret = token(options)
    lines.set_up(options.log_level, secret)
    found, settings = registry(), load_settings()
    check_store(found, settings.store, origin("store"))
    desk = open_desk(found, settings, state=options.state, packs=options.packs)
    if check:
        desk.close(0.0)
        log.info("settings, store and queue are sound; Discord was not asked")
        return 0
    if not options.trusted_guilds:
        log.warning(
            "nobody can use the commands of admins: KERNELBOT_BOT_GUILDS or KERNELBOT_BOT_ADMIN_GUILDS says where"
        )
    if options.api:
        _speak_to(options.api)
    for voice in ("warn_nacl", "warn_dave"):
        setattr(discord.VoiceClient, voice, False)  # no voice here, so nothing is missing
    bot = KernelBot(options, desk, **({"guild_ready_timeout": 0.1} if options.api else {}))
    asyncio.run(_run(bot, secret))
    return 0


async def _run(bot: KernelBot, secret: str) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    running = asyncio.create_task(bot.start(secret))
    told = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({running, told}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
        await bot.close()
        if stop.is_set():
            running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await _explained(running)


async def _explained(running: asyncio.Task[None]) -> None:
    """Errors of the start in words."""
    try:
        await running
    except discord.LoginFailure:
        raise UsageError("Discord does not know this token", f"copy it anew from {PORTAL}: Bot, Reset Token") from None
    except discord.PrivilegedIntentsRequired:
        raise UsageError(
            "Discord refuses the intents that an extension asks for", f"allow them at {PORTAL}: Bot, Privileged Intents"
        ) from None
    except discord.ConnectionClosed as exc:
        raise UsageError(f"Discord has closed the connection (code {exc.code})", f"see {PORTAL}") from None
    except (aiohttp.ClientError, OSError) as exc:
        raise InfrastructureError(f"Discord cannot be reached: {exc}", "check the network; then start again") from None
    except discord.HTTPException as exc:
        raise InfrastructureError(f"Discord does not let the bot start: {exc.status} {exc.text}", "try later") from None


def _speak_to(api: str) -> None:
    """Point discord.py at something else than Discord; the settings have made sure that it is on this machine."""
    Route.BASE = f"{api}/api/v10"
    gateway = yarl.URL(api).with_scheme("ws") / "gateway"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
