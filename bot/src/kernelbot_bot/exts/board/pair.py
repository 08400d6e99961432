"""``/leaderboard compare`` and ``/code``: both obey the release rule of the problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.ask import entry_of
from kernelbot_bot.desk import Desk
from kernelbot_bot.render.message import Attached, Shown
from kernelbot_bot.render.pair import comparison
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Viewer
from kernelbot_core.engine.compare import compare as find_pair
from kernelbot_core.engine.queue import board_rules
from kernelbot_core.engine.release import check_release
from kernelbot_core.errors import InfrastructureError

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

ENTRY = "Name of a member, or id of an entry or job."


@app_commands.command(description="Two entries: time per size, and the difference of the code where it is public.")
@app_commands.describe(problem="At which problem.", first=ENTRY, second=ENTRY)
@app_commands.autocomplete(problem=choices.problems)
async def compare(interaction: discord.Interaction[KernelBot], problem: str, first: str, second: str) -> None:
    """For the one who asks: what may be seen depends on who that is."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    shown = await desk.ask(_pair, desk, problem, first, second, viewer(interaction))
    await interaction.followup.send(embed=shown.embed, files=[one.file() for one in shown.files])


@app_commands.command(description="The code of an entry, as soon as it is public.")
@app_commands.describe(problem="At which problem.", entry=ENTRY)
@app_commands.autocomplete(problem=choices.problems)
@app_commands.guild_only()
async def code(interaction: discord.Interaction[KernelBot], problem: str, entry: str) -> None:
    """As a file."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    said, file = await desk.ask(_code, desk, problem, entry, viewer(interaction))
    await interaction.followup.send(said, file=file.file())


def _pair(desk: Desk, name: str, first: str, second: str, asking: Viewer) -> Shown:
    problem = desk.problem(name, asking)
    a, b = (entry_of(desk, problem, wanted) for wanted in (first, second))
    found = find_pair(
        desk.registry, problem, desk.queue.store, a, b, viewer=desk.state.name_of(asking.id), now=desk.queue.clock(),
        release=board_rules(desk.queue, problem.name).release,
    )  # fmt: skip
    return comparison(found)


def _code(desk: Desk, name: str, wanted: str, asking: Viewer) -> tuple[str, Attached]:
    problem = desk.problem(name, asking)
    entry = entry_of(desk, problem, wanted)
    check_release(
        desk.registry, problem, desk.queue.store, entry, viewer=desk.state.name_of(asking.id), now=desk.queue.clock(),
        release=board_rules(desk.queue, problem.name).release,
    )  # fmt: skip
    source = desk.queue.store.source(entry.source)
    if source is None:
        raise InfrastructureError("the code is not in the archive", "ask a maintainer to restore it")
    file = Attached(plain.filename(entry.filename, "kernel.txt"), source.encode())
    return f"{plain.text(entry.user, 40)} at {plain.text(problem.name)} on {plain.text(entry.gpu, 40)}", file
