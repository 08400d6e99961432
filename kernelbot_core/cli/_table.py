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
    found = Measurement.get(console, console.options.update(max_width=WIDEST), table)
    needed = found.minimum if breaks else found.maximum
    before = console.width
    console.width = max(before, needed)
    try:
        console.print(table)
    finally:
        console.width = before
