"""Bans and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.roles import admins_only
from kernelbot_bot.terms import account_of
from kernelbot_core.engine import queue as engine
from kernelbot_core.engine.queue.limits import ANY

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="Take no jobs of a member; those that wait are taken back.")
@app_commands.describe(member="Who.", reason="Shown to them.", hours="For how long; else for good.")
@admins_only()
async def ban(
    interaction: discord.Interaction[KernelBot],
    member: discord.User,
    reason: str,
    hours: app_commands.Range[float, 0.1, 100_000.0] | None = None,
) -> None:
    """The queue's own rule; Discord's ban is another thing."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    until = None if hours is None else desk.queue.clock() + 3600.0 * hours
    await desk.ask(
        engine.ban, desk.queue, account_of(member.id), actor=account_of(interaction.user.id), reason=reason, until=until
    )
    await interaction.followup.send(f"{member.mention} may not submit: {plain.text(reason, 300)}")


@app_commands.command(description="Take jobs of a member again.")
@app_commands.describe(member="Who.")
@admins_only()
async def unban(interaction: discord.Interaction[KernelBot], member: discord.User) -> None:
    """Undoes a ban."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    await desk.ask(engine.unban, desk.queue, account_of(member.id), actor=account_of(interaction.user.id))
    await interaction.followup.send(f"{member.mention} may submit again.")


@app_commands.command(description="How many jobs per problem and hour are taken.")
@app_commands.describe(
    per_hour="0: none; left out: as if nothing had been said.", problem="Only this one.", member="Only this member."
)
@app_commands.autocomplete(problem=choices.problems)
@admins_only()
async def limit(
    interaction: discord.Interaction[KernelBot],
    per_hour: app_commands.Range[int, 0, 100_000] | None = None,
    problem: str | None = None,
    member: discord.User | None = None,
) -> None:
    """The most particular word counts."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    account = ANY if member is None else account_of(member.id)
    await desk.ask(
        engine.set_limit, desk.queue, per_hour, actor=account_of(interaction.user.id), account=account,
        problem=problem or ANY,
    )  # fmt: skip
    who, where = member.mention if member else "everybody", plain.text(problem) if problem else "each problem"
    said = "the default holds" if per_hour is None else f"{per_hour} jobs an hour"
    await interaction.followup.send(f"{who} at {where}: {said}.")
