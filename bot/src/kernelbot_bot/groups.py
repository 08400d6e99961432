"""Command groups that several features share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

WHAT = {
    "leaderboard": "Submit kernels, see who is first.",
    "problem": "Problems that the community brings.",
    "admin": "Look after queue, boards and members.",
}


def group(bot: KernelBot, name: str) -> app_commands.Group:
    """The group of that name, made when the first feature asks for it."""
    found = bot.tree.get_command(name)
    if isinstance(found, app_commands.Group):
        return found
    made = app_commands.Group(name=name, description=WHAT[name], guild_only=True)
    bot.tree.add_command(made)
    return made
