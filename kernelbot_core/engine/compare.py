"""Two entries side by side: times per size, and the code where the viewer may see both."""

from __future__ import annotations

import difflib

from msgspec import Struct

from kernelbot_core.engine.board import cells_of
from kernelbot_core.engine.rank import in_order
from kernelbot_core.engine.release import check_release
from kernelbot_core.errors import RefusedError
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.queue import Release
from kernelbot_core.plugins import Registry

LONGEST = 2000
"""Lines of a difference; more is cut."""


class Delta(Struct, frozen=True, kw_only=True):
    """One size of both, seconds."""

    size: str
    dtype: str
    a: float
    b: float
    ratio: float
    """b / a: above 1, a is faster."""


class Comparison(Struct, frozen=True, kw_only=True):
    """What is shown of a pair."""

    a: Entry
    b: Entry
    deltas: list[Delta]
    """Cells that both have, in the order of the problem."""
    same_board: bool
    """Same GPU, version of the problem and clock; otherwise the times cannot be compared."""
    diff: list[str]
    """Unified difference from a to b, lines without their ends."""
    hidden: str
    """Why the code is not shown; empty when it is."""


def compare(
    registry: Registry,
    problem: Problem,
    store: Store,
    a: Entry,
    b: Entry,
    *,
    viewer: str | None,
    now: float,
    release: Release | None = None,
) -> Comparison:
    """Compare two entries of a problem; the code of both is shown where ``viewer`` may see both.

    Parameters as of :func:`kernelbot_core.engine.release.check_release`.
    """
    reasons = []
    for entry in (a, b):
        try:
            check_release(registry, problem, store, entry, viewer=viewer, now=now, release=release)
        except RefusedError as exc:
            reasons.append(f"{exc.message}: {exc.hint}")
    return Comparison(
        a=a,
        b=b,
        deltas=_deltas(problem, a, b),
        same_board=(a.gpu, a.problem_version, a.protocol) == (b.gpu, b.problem_version, b.protocol),
        diff=[] if reasons else _diff(store, a, b),
        hidden="; ".join(dict.fromkeys(reasons)),
    )


def _deltas(problem: Problem, a: Entry, b: Entry) -> list[Delta]:
    found = []
    for dtype in in_order(problem, problem.bindings):
        mine, others = ({cell.size: cell.median for cell in cells_of(e, problem.sizes, dtype)} for e in (a, b))
        found += [
            Delta(size=size, dtype=dtype, a=mine[size], b=others[size], ratio=others[size] / mine[size])
            for size in problem.sizes
            if size in mine and size in others
        ]
    return found


def _diff(store: Store, a: Entry, b: Entry) -> list[str]:
    old, new = ((store.source(entry.source) or "").splitlines() for entry in (a, b))
    names = [f"{entry.user}/{entry.filename}" for entry in (a, b)]
    lines = list(difflib.unified_diff(old, new, fromfile=names[0], tofile=names[1], lineterm=""))
    return lines if len(lines) <= LONGEST else [*lines[:LONGEST], f"... {len(lines) - LONGEST} more lines"]
