"""``/leaderboard submit`` and ``/leaderboard paste``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices
from kernelbot_bot.exts.submit.hand_in import hand_in
from kernelbot_bot.exts.submit.modal import Paste
from kernelbot_bot.exts.submit.sources import from_attachment
from kernelbot_bot.terms import Wish
from kernelbot_core.model.submission import Mode

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

WHAT = {
    "file": "Your kernel, one source file.",
    "problem": "What it solves; else the file's header line says it.",
    "gpu": "Where it runs; else the header line, else the best there is.",
    "lang": "Its language; else recognised.",
    "mode": "ranked (default): secret inputs and a place; benchmark: times only; test: correctness only.",
}


@app_commands.command(description="Judge a kernel: build, correctness, times, place.")
@app_commands.describe(**WHAT)
@app_commands.autocomplete(problem=choices.problems, gpu=choices.gpus, lang=choices.langs)
async def submit(
    interaction: discord.Interaction[KernelBot],
    file: discord.Attachment,
    problem: str | None = None,
    gpu: str | None = None,
    lang: str | None = None,
    mode: Mode = "ranked",
) -> None:
    """Acknowledge first: the file may take longer than Discord waits."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    with interaction.client.herald.answering():
        source = await from_attachment(file, interaction.client.desk.settings.max_source)
        wish = Wish(source=source, filename=file.filename, problem=problem, gpu=gpu, lang=lang, mode=mode)
        await hand_in(interaction, wish)


@app_commands.command(description="Judge a kernel that you paste into a window.")
@app_commands.describe(**{name: text for name, text in WHAT.items() if name != "file"})
@app_commands.autocomplete(problem=choices.problems, gpu=choices.gpus, lang=choices.langs)
async def paste(
    interaction: discord.Interaction[KernelBot],
    problem: str | None = None,
    gpu: str | None = None,
    lang: str | None = None,
    mode: Mode = "ranked",
) -> None:
    """Open the window."""
    await interaction.response.send_modal(Paste(problem=problem, gpu=gpu, lang=lang, mode=mode))
