"""The context menu of a message: its file or its code block is the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from msgspec.structs import replace

from kernelbot_bot import choices
from kernelbot_bot.errors import answer
from kernelbot_bot.exts.submit.hand_in import hand_in
from kernelbot_bot.exts.submit.sources import from_attachment, from_text
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Wish
from kernelbot_core.engine.accept import decode_source
from kernelbot_core.errors import UsageError
from kernelbot_core.model.header import read_header

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

WAIT_S = 600.0


async def from_message(interaction: discord.Interaction[KernelBot], message: discord.Message) -> None:
    """Submit somebody's message in the name of the one who chose the menu."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    wish = await _wish(message, interaction.client.desk.settings.max_source)
    if read_header(wish.source).problem:
        await hand_in(interaction, wish)
        return
    desk = interaction.client.desk
    names = await desk.ask(desk.problem_names, viewer(interaction))
    if not names:
        raise UsageError("there are no problems here", "a maintainer adds them with /problem propose")
    await interaction.edit_original_response(content="Which problem is it for?", view=Which(wish, names))


async def _wish(message: discord.Message, cap: int) -> Wish:
    if len(message.attachments) > 1:
        raise UsageError("the message has several files", "choose one that has a single file, or /leaderboard submit")
    if message.attachments:
        [file] = message.attachments
        return Wish(source=await from_attachment(file, cap), filename=file.filename)
    if "```" not in message.content:
        raise UsageError("the message has neither a file nor a code block", "/leaderboard submit takes a file")
    code, filename = from_text(message.content)
    return Wish(source=decode_source(code.encode(), "the code block", cap), filename=filename)


class Which(discord.ui.View):
    """Asks for the problem that the file does not name."""

    def __init__(self, wish: Wish, names: list[str]) -> None:
        super().__init__(timeout=WAIT_S)
        self._wish = wish
        menu: discord.ui.Select[Any] = discord.ui.Select(
            placeholder="problem", options=[discord.SelectOption(label=name) for name in names[: choices.MOST]]
        )
        menu.callback = self._chosen  # type: ignore[method-assign,assignment]  # an item made by hand
        self._menu = menu
        self.add_item(menu)

    async def _chosen(self, interaction: discord.Interaction[KernelBot]) -> None:
        await interaction.response.defer()
        self.stop()
        await hand_in(interaction, replace(self._wish, problem=self._menu.values[0]))

    async def on_error(self, interaction: discord.Interaction, error: Exception, item: Any, /) -> None:  # noqa: ARG002 - discord.py's own arguments
        await answer(interaction, error)
