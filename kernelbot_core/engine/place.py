"""Where somebody stands after a submission."""

from __future__ import annotations

from msgspec import Struct

from kernelbot_core.engine.rank import in_order, standings
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.plugins import Registry


class Place(Struct, frozen=True, kw_only=True):
    """A user's line on the board of one GPU, language and dtype."""

    dtype: str
    size: str | None
    """None is the overall board."""
    standing: Standing
    """May be an earlier entry of the same user, as long as that one is not clearly beaten."""
    of: int
    """Lines on the board."""
    ahead: Standing | None
    """The last line with a better place; None for the first."""
    rank_of_all: int
    """The user's place among all languages."""
    of_all: int


def places(registry: Registry, problem: Problem, store: Store, entry: Entry) -> list[Place]:
    """Overall places of the entry's user, one per dtype of the entry, the problem's first dtype first.

    An entry with a part of the grid has none there; then the boards of the sizes it has are given.
    """
    measured = {(result.size, result.dtype) for run in entry.runs for result in run.results}
    dtypes = in_order(problem, {dtype for _, dtype in measured})
    overall = [_place(registry, problem, store, entry, dtype, None) for dtype in dtypes]
    if not any(overall):
        cells = [(cell.size, cell.dtype) for cell in problem.cells if (cell.size, cell.dtype) in measured]
        overall = [_place(registry, problem, store, entry, dtype, size) for size, dtype in cells]
    return [place for place in overall if place is not None]


def _place(
    registry: Registry, problem: Problem, store: Store, entry: Entry, dtype: str, size: str | None
) -> Place | None:
    own = standings(registry, problem, store, gpu=entry.gpu, lang=entry.language, size=size, dtype=dtype)
    everyone = standings(registry, problem, store, gpu=entry.gpu, size=size, dtype=dtype)
    mine = next((line for line in own if line.entry.user == entry.user), None)
    among = next((line for line in everyone if line.entry.user == entry.user), None)
    if mine is None or among is None:
        return None
    better = [line for line in own if line.rank < mine.rank]
    return Place(
        dtype=dtype, size=size, standing=mine, of=len(own), ahead=better[-1] if better else None,
        rank_of_all=among.rank, of_all=len(everyone),
    )  # fmt: skip
