"""``/admin``: the queue's devices, members, entries, boards, channels, and the log of all this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import Permissions
from discord.app_commands import Command

from kernelbot_bot.exts.admin.boards import deadline, invite, release, visibility
from kernelbot_bot.exts.admin.entries import invalidate, reinstate, rejudge
from kernelbot_bot.exts.admin.members import ban, limit, unban
from kernelbot_bot.exts.admin.queue import audit, channel, drain, pause, resume
from kernelbot_bot.groups import group

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


async def setup(bot: KernelBot) -> None:
    """Add the commands; Discord hides them from members, and each one checks for itself who asks."""
    admin = group(bot, "admin")
    admin.default_permissions = Permissions(manage_guild=True)
    commands: tuple[Command[Any, ..., Any], ...] = (
        pause, drain, resume, audit, channel, ban, unban, limit, invalidate, reinstate, rejudge, deadline, visibility,
        invite, release,
    )  # fmt: skip
    for command in commands:
        admin.add_command(command)
