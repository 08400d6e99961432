"""Tables that show every digit."""

from __future__ import annotations

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

WIDEST = 1000


def print_table(console: Console, table: Table, *, breaks: bool = False) -> None:
    """Print a table as wide as its numbers need: a narrow terminal breaks lines, nobody shortens a time to dots.

    :param breaks: Cells may be broken between words, so that it needs no more than its longest words.
    """
    before = console.width
    console.width = max(before, table_width(console, table, breaks=breaks))
    try:
        console.print(table)
    finally:
        console.width = before


def table_width(console: Console, table: Table, *, breaks: bool = False) -> int:
    """How wide a table is when nothing of it is shortened.

    :param breaks: Cells may be broken between words.
    """
    found = Measurement.get(console, console.options.update(max_width=WIDEST), table)
    return found.minimum if breaks else found.maximum
