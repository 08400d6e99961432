"""Autocomplete: what Discord offers while somebody types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord
from discord import app_commands

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]

MOST = 25
LONGEST = 100
"""Characters of a choice that Discord takes."""


async def problems(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Names of problems."""
    desk = interaction.client.desk
    return matching(current, await desk.ask(desk.problem_names, interaction.user.id))


async def gpus(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Board labels of the devices here."""
    desk = interaction.client.desk
    return matching(current, await desk.ask(desk.labels))


async def langs(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Names of languages."""
    return matching(current, interaction.client.desk.registry.languages)


def matching(current: str, names: Iterable[str]) -> list[app_commands.Choice[str]]:
    """Those that begin so first, then those that hold it."""
    wanted = current.strip().lower()
    found = [name for name in names if wanted in name.lower() and len(name) <= LONGEST]
    found.sort(key=lambda name: not name.lower().startswith(wanted))
    return [app_commands.Choice(name=name, value=name) for name in found[:MOST]]
