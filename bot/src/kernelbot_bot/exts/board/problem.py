"""``/leaderboard problems`` and ``/leaderboard problem``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices
from kernelbot_bot.desk import Desk
from kernelbot_bot.render import problem as render
from kernelbot_bot.render.message import Attached, Shown
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Viewer
from kernelbot_core.errors import UsageError

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="What there is to solve.")
async def problems(interaction: discord.Interaction[KernelBot]) -> None:
    """Those that the one who asks may see."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    await interaction.followup.send(embed=render.listing(await desk.ask(desk.problems, viewer(interaction))))


@app_commands.command(description="One problem: statement, and a template for each language.")
@app_commands.describe(problem="Which one.", lang="Only the template of this language.")
@app_commands.autocomplete(problem=choices.problems, lang=choices.langs)
async def problem(interaction: discord.Interaction[KernelBot], problem: str, lang: str | None = None) -> None:
    """Shown to the one who asks: a statement is long."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    shown = await desk.ask(_statement, desk, problem, lang, viewer(interaction))
    await interaction.followup.send(embed=shown.embed, files=[one.file() for one in shown.files])


def _statement(desk: Desk, name: str, lang: str | None, asking: Viewer) -> Shown:
    found = desk.problem(name, asking)
    languages = desk.registry.languages
    if lang is not None and lang not in languages:
        raise UsageError(f"there is no language {lang}", f"known: {', '.join(languages)}")
    wanted = [lang] if lang else [n for n in languages if n in (found.file.rules.languages or languages)]
    templates = [
        Attached(f"{found.name}_{one}{languages[one].suffixes[0]}", languages[one].template(found).encode())
        for one in wanted
    ]
    return render.statement(found, templates)
