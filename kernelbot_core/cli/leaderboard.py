"""``kernelbot leaderboard``: the boards of a problem."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from kernelbot_core.cli._board import print_board
from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import check_known, dtype_option, size_option, store_option
from kernelbot_core.cli._say import json_option, print_json
from kernelbot_core.cli._store import open_told, store_to_read
from kernelbot_core.engine.board import Board, make_board, measured_dtypes
from kernelbot_core.errors import UsageError
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.text import number, one_line


@click.command("leaderboard")
@click.argument("problem")
@click.option("--gpu", metavar="G", help="Board label, such as H200 or cpu; by default every one that has entries.")
@click.option("--lang", metavar="L", help="Only this language.")
@size_option("The boards of these sizes instead of the overall one.")
@dtype_option("Only these dtypes; by default every one that has entries.")
@click.option("--ids", is_flag=True, help="With the id of each entry's latest run, for show and compare.")
@store_option
@json_option
def command(
    problem: str,
    gpu: str | None,
    lang: str | None,
    sizes: list[str],
    dtypes: list[str],
    store: str | None,
    *,
    ids: bool,
    as_json: bool,
) -> None:
    """Show who is first at PROBLEM: one board per GPU and dtype."""
    found = registry()
    chosen = resolve(problem, found.pack_sources)
    for values, there, what in (
        (sizes, chosen.sizes, "size"), (dtypes, list(chosen.bindings), "dtype"),
        ([lang] if lang else [], list(found.languages), "language"),
    ):  # fmt: skip
        check_known(chosen.name, values, there, what)
    kept = open_told(found, store_to_read(found, store), store)
    labels = _labels(chosen, kept.gpus(chosen.name), gpu)
    wanted: list[str | None] = [*sizes] or [None]
    boards = [
        make_board(found, chosen, kept, gpu=label, lang=lang, size=size, dtype=dtype)
        for label in labels
        for dtype in dtypes or measured_dtypes(chosen, kept, label) or [chosen.board_dtype]
        for size in wanted
    ]
    kept.close()
    if as_json:
        print_json({"problem": chosen.name, "boards": boards})
    else:
        asked = " ".join([*(f"--size {size}" for size in sizes), *([f"--lang {lang}"] if lang else [])])
        _print(chosen, boards, asked, ids=ids)


def _labels(problem: Problem, there: Sequence[str], gpu: str | None) -> list[str]:
    if gpu is None:
        return list(there)
    found = [label for label in there if label.lower() == gpu.lower()]
    if there and not found:
        raise UsageError(f"{problem.name} has no entries on {gpu}", f"there are some on: {', '.join(there)}")
    return found


def _print(problem: Problem, boards: Sequence[Board], asked: str, *, ids: bool) -> None:
    console = plain_console()
    filled = [board for board in boards if board.rows]
    for place, board in enumerate(filled):
        if place:
            console.print()
        print_board(console, board, ids=ids)
    if filled:
        return
    for line in _why_empty(problem, boards, asked):
        console.print(Text(line), soft_wrap=True)


def _why_empty(problem: Problem, boards: Sequence[Board], asked: str) -> list[str]:
    """Lines for a board without rows.

    :param asked: The filters that were asked for, in words; "" for none.
    """
    name = one_line(problem.name)
    lines = [f"{name}: nobody stands here{asked and f' with {asked}'} yet"]
    if any(board.entries for board in boards):
        ranked = dict.fromkeys(cell.size for cell in problem.cells if cell.ranked)
        lines.append(f"there are entries that ran some sizes only; look with --size {' or --size '.join(ranked)}")
    earlier = sum({board.gpu: board.earlier for board in boards}.values())
    if earlier:
        lines.append(f"{number(earlier, 'entry', 'entries')} of other versions of the problem not shown")
    return [*lines, f"be the first: kernelbot submit {name} FILE"]
