"""``kernelbot me``: one's own boards, points and jobs."""

from __future__ import annotations

import click
from rich.table import Table

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import store_option
from kernelbot_core.cli._queue import opened
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._table import print_table
from kernelbot_core.engine.me import me
from kernelbot_core.engine.queue import Queue
from kernelbot_core.engine.user import checked_user
from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.text import number, one_line


@click.command("me")
@click.option("--user", metavar="U", help="Somebody else; by default the login name.")
@store_option
@json_option
def command(user: str | None, store: str | None, as_json: bool) -> None:
    """Show places, points and jobs of a user over all boards."""
    with opened(store) as queue:
        found = me(queue, sound_problems(queue), user=checked_user(user))
    if as_json:
        print_json(found)
        return
    place = "no place on an overall board yet" if found.rank is None else f"place {found.rank}, {found.points:g} points"
    jobs = ", ".join(f"{count} {what}" for what, count in found.jobs.items())
    say(f"{one_line(found.user)}: {place}{f'; jobs: {jobs}' if jobs else ''}")
    if found.boards:
        table = Table("problem", "GPU", "place", "points", title=number(found.firsts, "first place"), box=None)
        for share in found.boards:
            place = f"{share.rank} of {share.of}"
            table.add_row(one_line(share.problem), one_line(share.gpu), place, f"{share.points:g}")
        print_table(plain_console(), table)


def sound_problems(queue: Queue) -> list[Problem]:
    """Every problem that can be read; a broken pack is `kernelbot doctor`'s to name."""
    found = []
    for folder in find_problems(queue.registry.pack_sources):
        try:
            found.append(load_problem(folder))
        except PackError:
            continue
    return found
