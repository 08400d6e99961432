"""``/leaderboard me`` and ``/ranking``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot.desk import Desk
from kernelbot_bot.render import people
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Viewer, account_of
from kernelbot_core.engine.me import Me
from kernelbot_core.engine.me import me as find_me
from kernelbot_core.engine.points import Score, user_points

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="Your places, points and jobs; nobody else sees the answer.")
async def me(interaction: discord.Interaction[KernelBot]) -> None:
    """Boards of members count too."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    found = await desk.ask(_me, desk, viewer(interaction), interaction.user.name)
    await interaction.followup.send(embed=people.own_page(found))


@app_commands.command(description="Points over all boards.")
@app_commands.guild_only()
async def ranking(interaction: discord.Interaction[KernelBot]) -> None:
    """Public boards only."""
    await interaction.response.defer(thinking=True)
    desk = interaction.client.desk
    scores, name = await desk.ask(_scores, desk, interaction.user.id)
    await interaction.followup.send(embed=people.ranking(scores, name))


def _me(desk: Desk, asking: Viewer, fallback: str) -> Me:
    name = desk.state.name_of(asking.id) or fallback
    return find_me(desk.queue, desk.problems(asking), user=name, account=account_of(asking.id))


def _scores(desk: Desk, asking: int) -> tuple[list[Score], str | None]:
    return user_points(desk.registry, desk.problems(), desk.queue.store), desk.state.name_of(asking)
