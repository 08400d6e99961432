"""The window for pasted code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from kernelbot_bot.errors import answer
from kernelbot_bot.exts.submit.hand_in import hand_in
from kernelbot_bot.exts.submit.sources import from_text
from kernelbot_bot.terms import Wish
from kernelbot_core.engine.accept import decode_source

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

LONGEST = 4000
"""Characters that Discord takes in one field."""


class Paste(discord.ui.Modal, title="Submit a kernel"):
    """One field; whatever else is needed was said in the command or stands in a header line."""

    code: discord.ui.Label[Any] = discord.ui.Label(
        text="Code",
        description="With or without a ``` fence. Longer files: /leaderboard submit.",
        component=discord.ui.TextInput(style=discord.TextStyle.paragraph, max_length=LONGEST),
    )

    def __init__(self, **wish: Any) -> None:
        super().__init__()
        self._wish = wish

    async def on_submit(self, interaction: discord.Interaction[KernelBot]) -> None:  # type: ignore[override]  # narrower: our client only
        await interaction.response.defer(ephemeral=True, thinking=True)
        assert isinstance(self.code.component, discord.ui.TextInput)
        code, filename = from_text(self.code.component.value)
        desk = interaction.client.desk
        lang = self._wish["lang"] or ""
        if lang in desk.registry.languages:
            filename = f"pasted{desk.registry.languages[lang].suffixes[0]}"
        source = decode_source(code.encode(), "the pasted code", desk.settings.max_source)
        await hand_in(interaction, Wish(source=source, filename=filename, **self._wish))

    async def on_error(  # type: ignore[override]  # discord.py gives a modal no item
        self, interaction: discord.Interaction, error: Exception, /
    ) -> None:
        await answer(interaction, error)
