"""``kernelbot compare``: two entries side by side."""

from __future__ import annotations

import click
from rich.table import Table

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import some_id, store_option
from kernelbot_core.cli._queue import opened
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._table import print_table
from kernelbot_core.engine.admin import find_entry
from kernelbot_core.engine.compare import Comparison, compare
from kernelbot_core.engine.queue import board_rules
from kernelbot_core.engine.user import login_name
from kernelbot_core.errors import UsageError
from kernelbot_core.packs.find import resolve
from kernelbot_core.text import one_line, seconds, times


@click.command("compare")
@click.argument("problem")
@click.argument("first", metavar="A", callback=some_id)
@click.argument("second", metavar="B", callback=some_id)
@click.option("--user", metavar="U", help="Who looks: authors always see their own code. By default the login name.")
@store_option
@json_option
def command(problem: str, first: str, second: str, user: str | None, store: str | None, as_json: bool) -> None:
    """Compare two entries of PROBLEM, each the id of an entry or of a job that made it.

    Code is shown when both are public by the problem's release rule.
    """
    with opened(store) as queue:
        chosen = resolve(problem, queue.registry.pack_sources)
        a, b = (find_entry(queue, chosen.name, wanted) for wanted in (first, second))
        if a.id == b.id:
            raise UsageError(f"{first} and {second} are the same entry", "runs of the same code are pooled")
        found = compare(
            queue.registry, chosen, queue.store, a, b, viewer=user or login_name(), now=queue.clock(),
            release=board_rules(queue, chosen.name).release,
        )  # fmt: skip
    if as_json:
        print_json(found)
    else:
        _print(found)


def _print(found: Comparison) -> None:
    names = [
        f"{one_line(entry.user)} ({one_line(entry.gpu)}, {one_line(entry.language)})" for entry in (found.a, found.b)
    ]
    say(f"A: {names[0]}\nB: {names[1]}")
    if not found.same_board:
        say("not on one board: GPU, problem version or clock differ, so that the times cannot be compared")
    table = Table("size", "dtype", "A", "B", "B / A", box=None)
    for delta in found.deltas:
        table.add_row(delta.size, delta.dtype, seconds(delta.a), seconds(delta.b), times(delta.ratio))
    print_table(plain_console(), table)
    say(one_line(found.hidden) if found.hidden else "\n".join(found.diff) or "the same source text")
