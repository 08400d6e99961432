"""From the runs of an entry to its numbers on one board."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Sequence
from typing import NamedTuple

from kernelbot_core import Entry, Result


class Line(NamedTuple):
    """An entry with its numbers on one board, seconds."""

    entry: Entry
    score: float
    p99: float
    baseline: float | None
    resolution: float
    """Relative: the mean over the cells, which is what the geometric mean is off by when all cells err one way."""


def geometric_mean(values: Sequence[float]) -> float:
    """Exp of the mean of the logs; one value is itself, to the last digit."""
    if len(values) == 1:
        return values[0]
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def overall_sizes(entries: Sequence[Entry], dtype: str, ranked: Sequence[str], resolved: float) -> list[str]:
    """The ranked sizes that make up the overall board, the same for everybody on it.

    A size that nobody could measure on this device is left out for all; so is one that most users cannot resolve,
    unless that goes for every size. Each user counts once, by the sharpest of their entries: whoever hands in many
    noisy variants must not take a size off the board.
    """
    widths: dict[str, dict[str, float]] = {}
    for entry in entries:
        for size in ranked:
            if complete(entry, dtype, ranked) and (results := results_of(entry, size, dtype)):
                width, users = statistics.median(r.resolution for r in results), widths.setdefault(size, {})
                users[entry.user] = min(width, users.get(entry.user, width))
    sharp = [size for size in ranked if size in widths and statistics.median(widths[size].values()) <= resolved]
    return sharp or [size for size in ranked if size in widths]


def complete(entry: Entry, dtype: str, ranked: Collection[str]) -> bool:
    """Every ranked size was measured in some run, or skipped with a reason: nothing was left out by choice."""
    skipped = {cell for run in entry.runs for cell in run.skipped}
    return all(results_of(entry, size, dtype) or f"{size}-{dtype}" in skipped for size in ranked)


def line_of(entry: Entry, dtype: str, sizes: Sequence[str], required: Collection[str]) -> Line | None:
    """Numbers of an entry over ``sizes``; None when one of them is missing or ``required`` is not complete."""
    cells = [results_of(entry, size, dtype) for size in sizes]
    if not cells or not all(cells) or not complete(entry, dtype, required):
        return None
    references = [_median_of([r.baseline for r in cell if r.baseline is not None]) for cell in cells]
    known = [reference for reference in references if reference is not None]
    return Line(
        entry=entry,
        score=geometric_mean([statistics.median(r.median for r in cell) for cell in cells]),
        p99=geometric_mean([statistics.median(r.p99 for r in cell) for cell in cells]),
        baseline=geometric_mean(known) if len(known) == len(cells) else None,
        resolution=statistics.fmean(statistics.median(r.resolution for r in cell) for cell in cells),
    )


def results_of(entry: Entry, size: str, dtype: str) -> list[Result]:
    """Results of one cell, one per run that has it."""
    return [r for run in entry.runs for r in run.results if r.size == size and r.dtype == dtype]


def _median_of(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None
