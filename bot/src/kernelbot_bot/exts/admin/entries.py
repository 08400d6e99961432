"""Entries: off the board with a reason, back again, run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.ask import entry_of
from kernelbot_bot.desk import Desk
from kernelbot_bot.roles import admins_only, viewer
from kernelbot_bot.terms import Viewer, account_of
from kernelbot_core.engine import admin as engine
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.problem import Problem

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

ENTRY = "Id of the entry or of one of its jobs, or the member's name."


@app_commands.command(description="Take an entry off the boards.")
@app_commands.describe(problem="At which problem.", entry=ENTRY, reason="Shown to its author.")
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def invalidate(interaction: discord.Interaction[KernelBot], problem: str, entry: str, reason: str) -> None:
    """It stays in the store."""
    done = await _change(interaction, problem, entry, engine.invalidate, reason=reason)
    await interaction.followup.send(f"{_name(done)} is off the board: {plain.text(reason, 300)}")


@app_commands.command(description="Put an entry back on the boards.")
@app_commands.describe(problem="At which problem.", entry=ENTRY)
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def reinstate(interaction: discord.Interaction[KernelBot], problem: str, entry: str) -> None:
    """Undoes it."""
    done = await _change(interaction, problem, entry, engine.reinstate)
    await interaction.followup.send(f"{_name(done)} is on the board again.")


@app_commands.command(description="Run the code of an entry again; it costs its author nothing.")
@app_commands.describe(problem="At which problem.", entry=ENTRY)
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def rejudge(interaction: discord.Interaction[KernelBot], problem: str, entry: str) -> None:
    """Behind what people wait for."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    where, found = await desk.ask(_find, desk, problem, entry, viewer(interaction))
    ticket = await desk.ask(
        engine.rejudge, desk.queue, where, found, desk.settings, actor=account_of(interaction.user.id)
    )
    desk.dispatcher.wake()
    await interaction.followup.send(f"{_name(found)} runs again as #{ticket.id}.")


async def _change(
    interaction: discord.Interaction[KernelBot], problem: str, entry: str, act: Callable[..., Entry], **more: str
) -> Entry:
    """Do something to an entry, and have the pinned boards follow."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    _, found = await desk.ask(_find, desk, problem, entry, viewer(interaction))
    done = await desk.ask(act, desk.queue, found, actor=account_of(interaction.user.id), **more)
    interaction.client.dispatch("kernelbot_board", done.problem)
    return done


def _find(desk: Desk, name: str, wanted: str, asking: Viewer) -> tuple[Problem, Entry]:
    problem = desk.problem(name, asking)
    return problem, entry_of(desk, problem, wanted)


def _name(entry: Entry) -> str:
    return f"`{entry.id[:12]}` of {plain.text(entry.user, 40)} at {plain.text(entry.problem)}"
