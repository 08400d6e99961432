"""``/leaderboard pin``: a message that shows a board and keeps itself up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices
from kernelbot_bot.ask import Which, find_board
from kernelbot_bot.errors import DeniedError
from kernelbot_bot.render.board import show
from kernelbot_bot.roles import admins_only
from kernelbot_bot.state import Pin
from kernelbot_core.engine.queue import may_see
from kernelbot_core.errors import UsageError

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="Pin a board here that keeps itself up to date.")
@app_commands.describe(problem="Whose board.", gpu="On which GPU.")
@app_commands.autocomplete(problem=choices.problems, gpu=choices.gpus)
@admins_only()
async def pin(interaction: discord.Interaction[KernelBot], problem: str, gpu: str | None = None) -> None:
    """Sent with the bot's own token, since it outlives the interaction."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    if not await desk.ask(may_see, desk.queue, problem, None):
        raise DeniedError(f"{problem} is private", "make it public first: /admin visibility")
    found, _ = await desk.ask(find_board, desk, Which(problem=problem, gpu=gpu), None)
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel | discord.Thread):
        raise UsageError("a board cannot be pinned here", "choose a text channel")
    message = await channel.send(embed=show(found, live=True))
    place = Pin(message=message.id, channel=channel.id, guild=interaction.guild_id or 0, problem=problem, gpu=found.gpu)
    await desk.ask(desk.state.put_pin, place)
    await desk.ask(desk.note, interaction.user.id, "pin", problem, found.gpu)
    try:
        await message.pin()
    except discord.HTTPException:  # too many pins, or no right to: the message keeps up to date all the same
        await interaction.followup.send("It keeps up to date; pinning it is up to you, Discord did not let me.")
        return
    await interaction.followup.send("Pinned.")
