"""From a file, a message or a pasted block to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from kernelbot_bot.exts.submit.commands import paste, submit
from kernelbot_bot.exts.submit.menu import from_message
from kernelbot_bot.exts.submit.queue import join, queue
from kernelbot_bot.groups import group

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


async def setup(bot: KernelBot) -> None:
    """Add the commands."""
    leaderboard = group(bot, "leaderboard")
    leaderboard.add_command(submit)
    leaderboard.add_command(paste)
    leaderboard.add_command(queue)
    leaderboard.add_command(join)
    bot.tree.add_command(app_commands.ContextMenu(name="Submit this kernel", callback=from_message))
