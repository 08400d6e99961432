"""A board with everything that is shown beside it: times per size, the baseline, how fresh it is."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from msgspec import Struct

from kernelbot_core.engine.rank import current, in_order, ranking_of
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Result, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import PROTOCOL
from kernelbot_core.plugins import Registry


class Cell(Struct, frozen=True, kw_only=True):
    """One size of an entry: medians over its runs, seconds."""

    size: str
    median: float
    p99: float
    resolution: float
    """Relative."""
    baseline: float | None
    bytes_per_s: float
    flops_per_s: float
    peak_fraction: float | None


class Row(Struct, frozen=True, kw_only=True):
    """A line of the board and the entry's sizes."""

    standing: Standing
    cells: list[Cell]


class Board(Struct, frozen=True, kw_only=True):
    """What one table shows."""

    problem: str
    problem_version: str
    protocol: int
    gpu: str
    language: str | None
    """None: all languages."""
    dtype: str
    size: str | None
    """None: the overall board."""
    rows: list[Row]
    entries: int
    """Entries with this dtype, also those that have no line: earlier ones of a user, and parts of the grid."""
    baseline: float | None
    """Median over the entries of what the problem's baseline took beside them, seconds."""
    as_of: str
    """ISO 8601, UTC: the latest run on it; empty when there is none."""
    earlier: int
    """Entries of other versions of the problem, which are not shown."""


def make_board(
    registry: Registry,
    problem: Problem,
    store: Store,
    *,
    gpu: str,
    lang: str | None = None,
    size: str | None = None,
    dtype: str | None = None,
) -> Board:
    """One board of one GPU."""
    dtype = dtype or problem.board_dtype
    everything = store.entries(problem.name, gpu)
    entries = current(problem, everything, lang)
    standings = ranking_of(registry, problem).board(problem, entries, dtype=dtype, size=size)
    known = [standing.baseline for standing in standings if standing.baseline is not None]
    return Board(
        problem=problem.name,
        problem_version=problem.version,
        protocol=PROTOCOL,
        gpu=gpu,
        language=lang,
        dtype=dtype,
        size=size,
        rows=[Row(standing=s, cells=cells_of(s.entry, problem.sizes, dtype)) for s in standings],
        entries=sum(bool(cells_of(entry, problem.sizes, dtype)) for entry in entries),
        baseline=statistics.median(known) if known else None,
        as_of=max((run.at for s in standings for run in s.entry.runs), default=""),
        earlier=sum(not entry.invalid for entry in everything) - len(current(problem, everything)),
    )


def cells_of(entry: Entry, sizes: Sequence[str], dtype: str) -> list[Cell]:
    """The sizes that an entry has, in the order of the problem."""
    found = {
        size: [r for run in entry.runs for r in run.results if (r.size, r.dtype) == (size, dtype)] for size in sizes
    }
    return [_cell(size, results) for size, results in found.items() if results]


def measured_dtypes(problem: Problem, store: Store, gpu: str) -> list[str]:
    """Dtypes with entries on a GPU, the problem's first dtype first."""
    entries = current(problem, store.entries(problem.name, gpu))
    return in_order(problem, {r.dtype for entry in entries for run in entry.runs for r in run.results})


def _cell(size: str, results: Sequence[Result]) -> Cell:
    known = [r.baseline for r in results if r.baseline is not None]
    peaks = [r.peak_fraction for r in results if r.peak_fraction is not None]
    return Cell(
        size=size,
        median=statistics.median(r.median for r in results),
        p99=statistics.median(r.p99 for r in results),
        resolution=statistics.median(r.resolution for r in results),
        baseline=statistics.median(known) if known else None,
        bytes_per_s=statistics.median(r.bytes_per_s for r in results),
        flops_per_s=statistics.median(r.flops_per_s for r in results),
        peak_fraction=statistics.median(peaks) if peaks else None,
    )
