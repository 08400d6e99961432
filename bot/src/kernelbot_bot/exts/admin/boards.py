"""Deadlines, visibility, invites, release of code."""

from __future__ import annotations

import contextlib
import datetime
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.roles import admins_only, viewer
from kernelbot_bot.terms import account_of
from kernelbot_core.engine import queue as engine
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import Release

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]


@app_commands.command(description="The last moment for ranked jobs of a problem.")
@app_commands.describe(problem="Which one.", when="2026-12-24 or 2026-12-24 18:00, UTC; left out: none.")
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def deadline(interaction: discord.Interaction[KernelBot], problem: str, when: str | None = None) -> None:
    """Tests and benchmarks are taken after it too."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    at = None if when is None else parse_moment(when)
    await _known(interaction, problem)
    desk = interaction.client.desk
    await desk.ask(engine.set_deadline, desk.queue, problem, at, actor=account_of(interaction.user.id))
    until = "has no deadline" if at is None else f"closes <t:{int(at)}:f> (<t:{int(at)}:R>)"
    await interaction.followup.send(f"{plain.text(problem)} {until}.")


@app_commands.command(description="Who sees a problem and may submit to it.")
@app_commands.describe(problem="Which one.", private="True: members only, who join with an invite.")
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def visibility(interaction: discord.Interaction[KernelBot], problem: str, private: bool) -> None:
    """Pinned boards of a problem that becomes private go away: a channel is no place for them."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    await _known(interaction, problem)
    desk = interaction.client.desk
    await desk.ask(engine.set_private, desk.queue, problem, private, actor=account_of(interaction.user.id))
    for pin in await desk.ask(desk.state.pins, problem) if private else ():
        with contextlib.suppress(discord.HTTPException):
            await interaction.client.get_partial_messageable(pin.channel).get_partial_message(pin.message).delete()
        await desk.ask(desk.state.drop_pin, pin.message)
    await interaction.followup.send(f"{plain.text(problem)} is {'private' if private else 'public'}.")


@app_commands.command(description="An invite to a private problem; it is shown once.")
@app_commands.describe(problem="Which one.", uses="How many may join with it.", days="For how long it is good.")
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def invite(
    interaction: discord.Interaction[KernelBot],
    problem: str,
    uses: app_commands.Range[int, 1, 1000] = 1,
    days: app_commands.Range[int, 1, 365] = 30,
) -> None:
    """Members use it with /leaderboard join."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    await _known(interaction, problem)
    desk = interaction.client.desk
    code = await desk.ask(
        engine.invite, desk.queue, problem, actor=account_of(interaction.user.id), uses=uses,
        until=desk.queue.clock() + 86400.0 * days,
    )  # fmt: skip
    await interaction.followup.send(f"`/leaderboard join invite:{code}` ({uses} uses, {days} days)")


@app_commands.command(description="When the code of entries becomes public.")
@app_commands.describe(
    problem="Which one.", rule="Days after submission, first (place only), or never; else the pack's."
)
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def release(interaction: discord.Interaction[KernelBot], problem: str, rule: str | None = None) -> None:
    """Everything that shows code obeys it."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    chosen = None if rule is None else parse_release(rule)
    await _known(interaction, problem)
    desk = interaction.client.desk
    await desk.ask(engine.set_release, desk.queue, problem, chosen, actor=account_of(interaction.user.id))
    said = "as its pack says" if chosen is None else f"{chosen} days" if isinstance(chosen, int) else chosen
    await interaction.followup.send(f"code at {plain.text(problem)} becomes public: {said}.")


def parse_moment(when: str) -> float:
    """Seconds since 1970 of a moment in UTC; a day alone means its end.

    :raises UsageError: It is none.
    """
    try:
        found = datetime.datetime.fromisoformat(when.strip())
    except ValueError:
        raise UsageError(f"{when!r} is no moment", "write 2026-12-24 or 2026-12-24 18:00, in UTC") from None
    if len(when.strip()) <= len("2026-12-24"):
        found += datetime.timedelta(days=1)
    return (found if found.tzinfo else found.replace(tzinfo=datetime.UTC)).timestamp()


def parse_release(rule: str) -> Release:
    """A rule out of words.

    :raises UsageError: It is none.
    """
    word = rule.strip().lower()
    if word in ("first", "never"):
        return "first" if word == "first" else "never"
    if word.isdigit() and int(word) <= 3650:
        return int(word)
    raise UsageError(f"{rule!r} is no rule", "write a number of days, first or never")


async def _known(interaction: Ask, problem: str) -> None:
    desk = interaction.client.desk
    await desk.ask(desk.problem, problem, viewer(interaction))
