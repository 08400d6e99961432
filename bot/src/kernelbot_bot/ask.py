"""Boards as members ask for them: labels without capitals, the first GPU when none is said."""

from __future__ import annotations

from msgspec import Struct

from kernelbot_bot.desk import Desk
from kernelbot_bot.terms import Viewer
from kernelbot_core.engine.admin import find_entry
from kernelbot_core.engine.board import Board, make_board
from kernelbot_core.errors import UsageError
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.problem import Problem


class Which(Struct, frozen=True, kw_only=True):
    """Which board is meant."""

    problem: str
    gpu: str | None = None
    lang: str | None = None
    size: str | None = None
    dtype: str | None = None


def label_of(desk: Desk, problem: Problem, gpu: str | None) -> tuple[str, list[str]]:
    """The board label that is meant, and the others that have entries.

    :raises UsageError: Nobody has an entry there.
    """
    there = list(desk.queue.store.gpus(problem.name))
    if gpu is None:
        chosen = there[0] if there else next(iter(desk.labels()), "cpu")
    else:
        known = dict.fromkeys([*there, *desk.labels()])
        chosen = next((label for label in known if label.lower() == gpu.lower()), "")
        if not chosen:
            raise UsageError(f"{problem.name} has no board on {gpu}", f"there are: {', '.join(known) or 'none'}")
    return chosen, [label for label in there if label != chosen]


def find_board(desk: Desk, which: Which, viewer: Viewer | None) -> tuple[Board, list[str]]:
    """The board, and labels of other GPUs with entries.

    :raises UsageError: There is no such problem, GPU, language, size or dtype.
    """
    problem = desk.problem(which.problem, viewer)
    check(which, problem, desk)
    label, others = label_of(desk, problem, which.gpu)
    made = make_board(
        desk.registry, problem, desk.queue.store, gpu=label, lang=which.lang, size=which.size, dtype=which.dtype
    )
    return made, others


def check(which: Which, problem: Problem, desk: Desk) -> None:
    """Complain about a language, size or dtype that there is not."""
    for value, known, what in (
        (which.size, problem.sizes, "size"), (which.dtype, list(problem.bindings), "dtype"),
        (which.lang, list(desk.registry.languages), "language"),
    ):  # fmt: skip
        if value is not None and value not in known:
            raise UsageError(f"{problem.name} has no {what} {value}", f"known: {', '.join(known)}")


def entry_of(desk: Desk, problem: Problem, wanted: str) -> Entry:
    """An entry by its id, by that of a job, or the best of a member by name.

    :raises UsageError: There is none.
    """
    name = wanted.strip().removeprefix("@").lower()
    mine = [entry for entry in desk.queue.store.entries(problem.name) if entry.user.lower() == name]
    if not mine:
        return find_entry(desk.queue, problem.name, wanted)
    for label in desk.queue.store.gpus(problem.name):
        board = make_board(desk.registry, problem, desk.queue.store, gpu=label)
        for row in board.rows:
            if row.standing.entry.user.lower() == name:
                return row.standing.entry
    return max(mine, key=lambda entry: entry.submitted)
