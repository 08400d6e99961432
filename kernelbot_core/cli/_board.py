"""A board as a table."""

from __future__ import annotations

import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._table import print_table
from kernelbot_core.cli._timed import RESOLVED
from kernelbot_core.engine.board import Board, Cell, Row
from kernelbot_core.text import number, one_line, percent, seconds, times

GREY = "dim"


def print_board(console: Console, board: Board, *, ids: bool = False) -> None:
    """Print a board that has rows: title, table, and what it is a picture of.

    :param ids: With the latest run of each entry, as ``kernelbot show`` and ``kernelbot compare`` take it.
    """
    language = board.language or "all languages"
    title = f"{one_line(board.problem)} · {one_line(board.gpu)} · {one_line(language)} · {board.dtype} · "
    console.print(Text(f"{title}{board.size or 'overall'}", "bold"), soft_wrap=True)
    print_table(console, _table(board, ids=ids))
    console.print(Text(_about(board), GREY), soft_wrap=True)
    if board.earlier:
        what = number(board.earlier, "entry", "entries")
        console.print(Text(f"{what} of other versions of the problem not shown", GREY), soft_wrap=True)


def _table(board: Board, *, ids: bool) -> Table:
    sizes = _sizes(board)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right", no_wrap=True)
    for title in ("user", "language"):
        table.add_column(title, no_wrap=True)
    for title in (board.size or "overall", "p99", "vs baseline", *sizes, "lines", "runs"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("submitted", no_wrap=True)
    if ids:
        table.add_column("run", no_wrap=True)
    for row in board.rows:
        run = [row.standing.entry.runs[-1].report] if ids else []
        table.add_row(*(Text(cell) for cell in [*_row(row, sizes), *run]))
    if board.baseline is not None:
        references = [_baseline(board, size) for size in sizes]
        cells = ["", "baseline", "", seconds(board.baseline), "", "1x", *references, "", "", ""]
        table.add_row(*(Text(cell, GREY) for cell in cells))
    return table


def _row(row: Row, sizes: list[str]) -> list[str]:
    line, entry = row.standing, row.standing.entry
    medians = {cell.size: _median(cell) for cell in row.cells}
    return [
        f"{'=' if line.tied else ''}{line.rank}", one_line(entry.user, 40), one_line(entry.language),
        seconds(line.score), seconds(line.p99), times(line.baseline / line.score if line.baseline else None),
        *(medians.get(size, "-") for size in sizes), str(entry.lines), str(len(entry.runs)), _day(entry.submitted),
    ]  # fmt: skip


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
