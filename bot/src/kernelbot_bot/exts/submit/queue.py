"""``/leaderboard queue`` and ``/leaderboard join``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import plain
from kernelbot_bot.desk import Desk
from kernelbot_bot.render.lanes import lanes_page
from kernelbot_bot.terms import account_of
from kernelbot_core.engine import queue as engine
from kernelbot_core.engine.devices import all_devices
from kernelbot_core.model.queue import Lane, Ticket, Wait

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="What waits and runs, and where your own jobs stand.")
async def queue(interaction: discord.Interaction[KernelBot]) -> None:
    """For the one who asks."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    labels, lanes, mine = await desk.ask(_look, desk, account_of(interaction.user.id))
    await interaction.followup.send(embed=lanes_page(labels, lanes, mine))


@app_commands.command(description="Join a private problem with an invite.")
@app_commands.describe(invite="The code that you were given.")
async def join(interaction: discord.Interaction[KernelBot], invite: str) -> None:
    """For the one who asks."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    problem = await desk.ask(engine.join, desk.queue, invite, account_of(interaction.user.id))
    await interaction.followup.send(f"You are in: {plain.text(problem)}.")


def _look(desk: Desk, account: str) -> tuple[dict[str, str], list[Lane], list[tuple[Ticket, Wait]]]:
    labels = {device.id: device.label for device in all_devices(desk.registry)}
    mine = engine.tickets(desk.queue, account=account, limit=10)
    return labels, engine.lanes(desk.queue), [(one, engine.wait_of(desk.queue, one.id)) for one in mine]
