"""The week in one message."""

from __future__ import annotations

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import GOOD, embed, small
from kernelbot_core.engine.digest import BoardWeek, Digest, Improvement
from kernelbot_core.text import number, percent, seconds, times


def digest_embed(found: Digest) -> discord.Embed:
    """First places and how they moved, new problems, who improved most."""
    lines = [line for board in found.boards for line in _board(board)]
    if found.new_problems:
        lines.append(f"🆕 {', '.join(plain.text(name) for name in found.new_problems)}")
    lines += [_improvement(one) for one in found.improved]
    return embed(f"🗞️ week {found.week}", lines, colour=GOOD)


def _improvement(one: Improvement) -> str:
    who, where = f"**{plain.text(one.user, 40)}**", f"{plain.text(one.problem)} on {plain.text(one.gpu, 40)}"
    return f"🚀 {who} {times(one.ratio)} faster at {where}: {seconds(one.before)} → {seconds(one.now)}"


def _board(board: BoardWeek) -> list[str]:
    now, before = board.now, board.before
    who = f"**{plain.text(now.user, 40)}** {seconds(now.score)}"
    if before is None:
        moved = "first of all"
    elif before.user != now.user:
        moved = f"takes it from {plain.text(before.user, 40)} ({seconds(before.score)})"
    elif now.score < before.score:
        moved = f"faster, from {seconds(before.score)}"
    else:
        moved = "holds"
    gap = f", {percent(now.gap)} ahead" if now.gap is not None else ""
    lines = [f"🥇 {plain.text(board.problem)} on {plain.text(board.gpu, 40)}: {who} {moved}{gap}"]
    fresh = [plain.text(name, 40) for name in board.newcomers[:5]]
    more = f" and {len(board.newcomers) - 5} more" if len(board.newcomers) > 5 else ""
    new = f"; new: {', '.join(fresh)}{more}" if fresh else ""
    return [*lines, small(f"{number(board.runs, 'run')}{new}")]
