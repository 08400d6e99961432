"""Autocomplete: what Discord offers while somebody types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot.roles import viewer
from kernelbot_core.engine.devices import all_devices
from kernelbot_core.errors import UserError
from kernelbot_core.model.problem import Problem

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]

MOST = 25
LONGEST = 100
"""Characters of a choice that Discord takes."""


async def problems(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Names of problems."""
    desk = interaction.client.desk
    return matching(current, await desk.ask(desk.problem_names, viewer(interaction)))


async def gpus(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Board labels of the devices here."""
    desk = interaction.client.desk
    return matching(current, await desk.ask(desk.labels))


async def devices(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Ids of the devices here."""
    desk = interaction.client.desk
    return matching(current, [device.id for device in await desk.ask(all_devices, desk.registry)])


async def langs(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Names of languages."""
    return matching(current, interaction.client.desk.registry.languages)


async def sizes(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Sizes of the problem that was chosen before."""
    found = await _chosen(interaction)
    return matching(current, found.sizes if found else [])


async def dtypes(interaction: Ask, current: str) -> list[app_commands.Choice[str]]:
    """Dtypes of the problem that was chosen before."""
    found = await _chosen(interaction)
    return matching(current, found.bindings if found else [])


async def _chosen(interaction: Ask) -> Problem | None:
    desk = interaction.client.desk
    try:
        return await desk.ask(desk.problem, str(interaction.namespace["problem"] or ""), viewer(interaction))
    except UserError:  # none yet, or half a name: there is nothing to offer
        return None


def matching(current: str, names: Iterable[str]) -> list[app_commands.Choice[str]]:
    """Those that begin so first, then those that hold it."""
    wanted = current.strip().lower()
    found = [name for name in names if wanted in name.lower() and len(name) <= LONGEST]
    found.sort(key=lambda name: not name.lower().startswith(wanted))
    return [app_commands.Choice(name=name, value=name) for name in found[:MOST]]
