"""A board as a table."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from kernelbot_core.cli._fit import GREY, Column, print_fitting
from kernelbot_core.cli._timed import RESOLVED
from kernelbot_core.engine.board import Board, Cell, Row
from kernelbot_core.text import number, one_line, percent, seconds, times


def print_board(console: Console, board: Board, *, ids: bool = False) -> None:
    """Print a board that has rows: title, table, and what it is a picture of.

    :param ids: With the latest run of each entry, as ``kernelbot show`` and ``kernelbot compare`` take it.
    """
    language = board.language or "all languages"
    title = f"{one_line(board.problem)} · {one_line(board.gpu)} · {one_line(language)} · {board.dtype} · "
    console.print(Text(f"{title}{board.size or 'overall'}", "bold"), soft_wrap=True)
    print_fitting(console, _columns(board, ids=ids))
    console.print(Text(_about(board), GREY), soft_wrap=True)
    if board.earlier:
        what = number(board.earlier, "entry", "entries")
        console.print(Text(f"{what} of other versions of the problem not shown", GREY), soft_wrap=True)


def _columns(board: Board, *, ids: bool) -> list[Column]:
    """Left out first where there is no room: how often it ran, its length and day, then what ``--size`` shows too."""
    rows, sizes = board.rows, _sizes(board)
    entries = [row.standing.entry for row in rows]
    medians = [{cell.size: _median(cell) for cell in row.cells} for row in rows]
    ours = board.baseline

    def column(title: str, cells: Iterable[str], baseline: str = "", *, left: bool = False, spare: int = 0) -> Column:
        last = [] if ours is None else [Text(baseline, GREY)]
        return Column(title, [*map(Text, cells), *last], "left" if left else "right", spare)

    return [
        column("rank", (f"{'=' if row.standing.tied else ''}{row.standing.rank}" for row in rows)),
        column("user", (one_line(entry.user, 40) for entry in entries), "baseline", left=True),
        column("language", (one_line(entry.language) for entry in entries), left=True, spare=1),
        column(board.size or "overall", (seconds(row.standing.score) for row in rows), seconds(ours)),
        column("p99", (seconds(row.standing.p99) for row in rows), spare=3),
        column("vs baseline", (_speedup(row) for row in rows), "1x", spare=2),
        *(column(size, (found.get(size, "-") for found in medians), _baseline(board, size), spare=4) for size in sizes),
        column("lines", (str(entry.lines) for entry in entries), spare=6),
        column("runs", (str(len(entry.runs)) for entry in entries), spare=7),
        column("submitted", (_day(entry.submitted) for entry in entries), left=True, spare=5),
        *([column("run", (entry.runs[-1].report for entry in entries), left=True)] if ids else []),
    ]


def _speedup(row: Row) -> str:
    line = row.standing
    return times(line.baseline / line.score if line.baseline else None)


def _median(cell: Cell) -> str:
    """The time, and its resolution where that is too wide for a place of its own."""
    return seconds(cell.median) + (f" ±{percent(cell.resolution, 2)}" if cell.resolution > RESOLVED else "")


def _sizes(board: Board) -> list[str]:
    """Columns beside the overall one: the sizes that somebody on the board has."""
    if board.size is not None:
        return []
    return list(dict.fromkeys(cell.size for row in board.rows for cell in row.cells))


def _baseline(board: Board, size: str) -> str:
    known = sorted(c.baseline for row in board.rows for c in row.cells if c.size == size and c.baseline is not None)
    return seconds(known[len(known) // 2]) if known else "-"


def _about(board: Board) -> str:
    clock = "geometric mean over the ranked sizes" if board.size is None else "median"
    tied = "; = cannot be told apart" if any(row.standing.tied for row in board.rows) else ""
    walls = {row.standing.entry.sandbox for row in board.rows}
    boxes = f"; sandbox: {', '.join(sorted(walls))}"
    return f"{clock}{tied}{boxes}; as of {_minute(board.as_of)}"


def _day(moment: str) -> str:
    return moment[:10]


def _minute(moment: str) -> str:
    try:
        return datetime.datetime.fromisoformat(moment).astimezone(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return moment
