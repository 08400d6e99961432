"""Boards, people and problems: ``/leaderboard show`` and its kin, ``/ranking``, pinned boards, podium posts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.app_commands import Command

from kernelbot_bot.exts.board.news import News
from kernelbot_bot.exts.board.pair import code, compare
from kernelbot_bot.exts.board.people import me, ranking
from kernelbot_bot.exts.board.pin import pin
from kernelbot_bot.exts.board.problem import problem, problems
from kernelbot_bot.exts.board.show import history, show
from kernelbot_bot.groups import group

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


async def setup(bot: KernelBot) -> None:
    """Add the commands, and what listens to the queue."""
    leaderboard = group(bot, "leaderboard")
    commands: tuple[Command[Any, ..., Any], ...] = (show, history, me, problems, problem, compare, pin)
    for command in commands:
        leaderboard.add_command(command)
    bot.tree.add_command(ranking)
    bot.tree.add_command(code)
    await bot.add_cog(News(bot))
