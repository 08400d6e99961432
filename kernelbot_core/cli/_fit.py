"""Tables that leave columns out where a terminal is too narrow: a row that wraps cannot be read down."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._table import print_table, table_width

GREY = "dim"


@dataclass(frozen=True)
class Column:
    """One column: its title, and a cell for each row."""

    title: str
    cells: Sequence[Text]
    justify: Literal["left", "right"] = "left"
    spare: int = 0
    """Columns with a higher number are left out first; 0 stays."""


def print_fitting(console: Console, columns: Sequence[Column]) -> None:
    """Print as many columns as fit side by side, and name the others; files and pipes get all of them."""
    shown, limit = list(columns), _limit(console)
    while limit is not None and table_width(console, _table(shown)) > limit:
        most = max(column.spare for column in shown)
        if most == 0:
            break
        shown.remove(next(column for column in reversed(shown) if column.spare == most))
    print_table(console, _table(shown))
    left = [column.title for column in columns if column not in shown]
    if left:
        console.print(Text(f"too narrow for: {', '.join(left)}", GREY), soft_wrap=True)


def _table(columns: Sequence[Column]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column.title, justify=column.justify, no_wrap=True)
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*row)
    return table


def _limit(console: Console) -> int | None:
    """Width of a terminal, or what ``COLUMNS`` says."""
    said = os.environ.get("COLUMNS", "").isdigit()
    return console.width if console.is_terminal or said else None
