"""A board, page by page."""

from __future__ import annotations

import datetime

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, embed, small
from kernelbot_bot.render.place import MEDALS
from kernelbot_bot.render.table import table
from kernelbot_core.engine.board import Board, Row
from kernelbot_core.text import number, seconds, times

PAGE = 10
HEAD = ("#", "user", "lang", "time", "p99", "gain")


def pages(board: Board) -> int:
    """How many there are; an empty board has one."""
    return max(1, -(-len(board.rows) // PAGE))


def show(board: Board, page: int = 1, *, others: list[str] | None = None, live: bool = False) -> discord.Embed:
    """One page: the first three with medals, the table, and how fresh it is.

    :param others: Labels of other GPUs that have entries.
    :param live: It keeps itself up to date.
    """
    rows = board.rows[(page - 1) * PAGE : page * PAGE]
    lines = _podium(board) if page == 1 else []
    if rows:
        cells = [_cells(row) for row in rows]
        if board.baseline is not None:
            cells.insert(_baseline_at(rows, board.baseline), _baseline(board.baseline))
        lines.append(table(HEAD, cells, left=3, longest=3000, gap=1))
    else:
        lines.append("nobody stands here yet: be the first with /leaderboard submit")
    return embed(title(board), [*lines, *_notes(board)], colour=PLAIN, footer=_footer(board, page, others or [], live))


def title(board: Board) -> str:
    """``problem · GPU · language · dtype · size``."""
    names = [board.problem, board.gpu, board.language or "all languages", board.dtype, board.size or "overall"]
    return "🏆 " + " · ".join(plain.text(name, 40) for name in names)


def moment(at: str) -> str:
    """``2026-01-31 12:34 UTC``."""
    try:
        return f"{datetime.datetime.fromisoformat(at).astimezone(datetime.UTC):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return plain.cell(at)


def _podium(board: Board) -> list[str]:
    lines: list[str] = []
    for row in board.rows:
        line = row.standing
        if line.rank not in MEDALS or len(lines) == 6:
            break
        shared = " (shared)" if line.tied else ""
        lines.append(f"{MEDALS[line.rank]}**{plain.text(line.entry.user, 40)}** {seconds(line.score)}{shared}")
    return lines


def _cells(row: Row) -> list[str]:
    line, entry = row.standing, row.standing.entry
    return [
        f"{'=' if line.tied else ''}{line.rank}", plain.cell(entry.user, 13), plain.cell(entry.language, 8),
        _short(line.score),
        _short(line.p99), times(line.baseline / line.score if line.baseline else None),
    ]  # fmt: skip


def _short(value: float | None) -> str:
    return seconds(value).replace(" ", "")


def _baseline(score: float) -> list[str]:
    return ["", "baseline", "", _short(score), "", "1x"]


def _baseline_at(rows: list[Row], score: float) -> int:
    """Where it would stand among these rows."""
    return sum(row.standing.score <= score for row in rows)


def _notes(board: Board) -> list[str]:
    notes = []
    if any(row.standing.tied for row in board.rows):
        notes.append(small("= cannot be told apart"))
    if board.earlier:
        notes.append(small(f"{number(board.earlier, 'entry', 'entries')} of other versions of the problem not shown"))
    return notes


def _footer(board: Board, page: int, others: list[str], live: bool) -> str:
    parts = [f"as of {moment(board.as_of)}" if board.as_of else "no entries"]
    if pages(board) > 1:
        parts.append(f"page {page} of {pages(board)}")
    if others:
        parts.append(f"also on {', '.join(plain.cell(name) for name in others)}")
    return " · ".join([*parts, "keeps itself up to date"] if live else parts)
