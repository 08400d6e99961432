"""Scores and boards."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from kernelbot_core import Entry, Problem, Ranking, Report, Result, Standing

RESOLVED = 0.01
"""A cell that cannot tell differences of 1 % is shown, and left out of the overall where another cell can."""


class Line(NamedTuple):
    """An entry with its numbers on one board, seconds."""

    entry: Entry
    score: float
    p99: float | None
    baseline: float | None
    resolution: float


class Geomean(Ranking):
    """Geometric mean of the medians over the ranked sizes, per dtype."""

    name = "geomean"

    def score(self, problem: Problem, report: Report) -> tuple[float | None, dict[str, float], dict[str, float]]:
        scores: dict[str, float] = {}
        baseline: dict[str, float] = {}
        for dtype in problem.bindings:
            cases = [c for c in report.cases if c.kind == "bench" and c.dtype == dtype]
            ran = [c for c in cases if c.status == "passed" and c.stats is not None]
            if not ran or not _complete(problem, report, dtype):
                continue
            counted = [c for c in ran if c.stats and c.stats.resolution <= RESOLVED] or ran
            scores[dtype] = geometric_mean([c.stats.median for c in counted if c.stats])
            speedups = [(c.stats.median, c.throughput.speedup) for c in counted if c.stats and c.throughput]
            if speedups and all(speedup for _, speedup in speedups):
                baseline[dtype] = geometric_mean([median * (speedup or 0) for median, speedup in speedups])
        return scores.get(problem.board_dtype), scores, baseline

    def board(
        self, problem: Problem, entries: Sequence[Entry], *, dtype: str, size: str | None = None
    ) -> list[Standing]:
        wanted = [size] if size else _sizes_of(entries, dtype)
        lines = [line for entry in entries if (line := _line(entry, dtype, wanted)) is not None]
        best: dict[str, Line] = {}
        for line in sorted(lines, key=lambda line: (line.score, line.entry.submitted)):
            best.setdefault(line.entry.user, line)
        return _rank(problem, sorted(best.values(), key=lambda line: line.score))


def geometric_mean(values: Sequence[float]) -> float:
    """Exp of the mean of the logs."""
    return math.exp(statistics.fmean(math.log(value) for value in values))


def _complete(problem: Problem, report: Report, dtype: str) -> bool:
    """Every ranked size of the dtype has been measured, or was skipped for this device."""
    measured = {c.size for c in report.cases if c.kind == "bench" and c.dtype == dtype and c.status != "not_reached"}
    return all(cell.size in measured for cell in problem.cells if cell.ranked and cell.dtype == dtype)


def _sizes_of(entries: Sequence[Entry], dtype: str) -> list[str]:
    """Sizes of the overall board: those that every entry with this dtype has, resolved ones where there are any."""
    cells: dict[str, list[float]] = {}
    for entry in entries:
        for run in entry.runs:
            for result in run.results:
                if result.dtype == dtype:
                    cells.setdefault(result.size, []).append(result.resolution)
    resolved = [size for size, widths in cells.items() if statistics.median(widths) <= RESOLVED]
    return resolved or list(cells)


def _line(entry: Entry, dtype: str, sizes: Sequence[str]) -> Line | None:
    """Numbers of an entry: per cell the median over its runs, never the best of them."""
    medians, tails, references, widths = [], [], [], []
    for size in sizes:
        results = [r for run in entry.runs for r in run.results if r.size == size and r.dtype == dtype]
        if not results:
            return None
        medians.append(statistics.median(r.median for r in results))
        tails.append(statistics.median(r.p99 for r in results))
        references += [_reference(results)]
        widths.append(statistics.median(r.resolution for r in results))
    if not medians:
        return None
    known = [reference for reference in references if reference is not None]
    return Line(
        entry=entry,
        score=geometric_mean(medians),
        p99=geometric_mean(tails),
        baseline=geometric_mean(known) if len(known) == len(medians) else None,
        resolution=max(widths),
    )


def _reference(results: Sequence[Result]) -> float | None:
    known = [r.baseline for r in results if r.baseline is not None]
    return statistics.median(known) if known else None


def _rank(problem: Problem, lines: Sequence[Line]) -> list[Standing]:
    """Group entries within the tie of their group's leader; inside a group the problem's order decides."""
    ranking = problem.file.ranking
    standings: list[Standing] = []
    rest = list(lines)
    while rest:
        leader = rest[0]
        reach = leader.score * (1 + max(ranking.tie, leader.resolution))
        group = [line for line in rest if line.score <= reach]
        rest = rest[len(group) :]
        place = len(standings) + 1
        group.sort(key=lambda line: tuple(_inside(line.entry, order) for order in ranking.order))
        standings += [
            Standing(
                rank=place, entry=line.entry, score=line.score, p99=line.p99, baseline=line.baseline,
                tied=len(group) > 1,
            )
            for line in group
        ]  # fmt: skip
    return standings


def _inside(entry: Entry, order: str) -> tuple[int, str]:
    return (entry.lines, "") if order == "lines" else (0, entry.submitted)
