"""``kernelbot problems``: what there is to solve."""

from __future__ import annotations

import click
from rich.table import Table

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._failure import GREY
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._table import print_table
from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry


@click.command("problems")
@json_option
def command(as_json: bool) -> None:
    """List the problems; nothing of their code is imported."""
    good, bad = [], []
    for folder in find_problems(registry().pack_sources):
        try:
            good.append(load_problem(folder))
        except PackError as exc:
            bad.append(exc.message)
    if as_json:
        print_json({"problems": [_as_dict(one) for one in good], "broken": bad})
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=GREY)
    for name in ("problem", "what", "area", "difficulty", "dtypes", "sizes"):
        table.add_column(name)
    for one in good:
        file = one.file
        table.add_row(one.name, file.summary, file.area, file.difficulty, " ".join(one.bindings), " ".join(one.sizes))
    print_table(plain_console(), table)
    for message in bad:
        say(f"broken: {message}", err=True)


def _as_dict(problem: Problem) -> dict[str, object]:
    file = problem.file
    return {
        "name": problem.name, "title": file.title, "summary": file.summary,
        "area": file.area, "version": problem.version,
        "difficulty": file.difficulty, "dtypes": list(problem.bindings), "sizes": problem.sizes, "path": problem.path,
    }  # fmt: skip
