"""Where the message of a job goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_bot.terms import Spot

if TYPE_CHECKING:
    import discord

    from kernelbot_bot.app import KernelBot


async def spot_for(interaction: discord.Interaction[KernelBot], problem: str) -> Spot:
    """The channel where it was asked for; at a private problem, which a channel is no place for, to its author."""
    desk, by = interaction.client.desk, interaction.user.id
    if await desk.ask(desk.private, problem):
        return Spot(channel=(await interaction.user.create_dm()).id, by=by)
    return Spot(channel=interaction.channel_id or 0, by=by)
