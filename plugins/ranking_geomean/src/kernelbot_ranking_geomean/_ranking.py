"""The ranking: scores of reports, and boards of entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernelbot_core import Entry, Problem, Ranking, Report, Standing
from kernelbot_ranking_geomean._cells import Line, geometric_mean, line_of, overall_sizes
from kernelbot_ranking_geomean._places import place
from kernelbot_ranking_geomean._wander import wander

RESOLVED = 0.01
"""A cell that cannot tell 1 % apart is shown, and left out of the overall score where another cell can."""


class Geomean(Ranking):
    """Geometric mean of the medians over the ranked sizes, per dtype.

    - A dtype has a score when every ranked size of it was measured, or skipped with a reason (too little memory).
    - A cell that resolves less than 1 % is left out, unless that goes for all of them: on a busy CPU everything is
      noisy, and an empty board would help nobody; ties are as wide as the noise then.
    - An entry's time in a cell is the median over its runs, never the best of them.
    - Those share a place too who are no further apart than the baseline's own time from run to run.
    - Of several entries of one person a later one replaces the earlier only when it is faster by more than the tie.
    """

    name = "geomean"

    def score(self, problem: Problem, report: Report) -> tuple[float | None, dict[str, float], dict[str, float]]:
        scores: dict[str, float] = {}
        baseline: dict[str, float] = {}
        for dtype in problem.bindings:
            ranked = ranked_sizes(problem, dtype)
            cases = {c.size: c for c in report.cases if c.kind == "bench" and c.dtype == dtype and c.size in ranked}
            timed = [(c.stats, c.throughput) for c in cases.values() if c.status == "passed" and c.stats]
            settled = {size for size, case in cases.items() if case.status in ("passed", "skipped")}
            if not timed or settled != set(ranked):
                continue
            counted = [pair for pair in timed if pair[0].resolution <= RESOLVED] or timed
            scores[dtype] = geometric_mean([stats.median for stats, _ in counted])
            speedups = [stats.median * work.speedup for stats, work in counted if work and work.speedup]
            if len(speedups) == len(counted):
                baseline[dtype] = geometric_mean(speedups)
        return scores.get(problem.board_dtype), scores, baseline

    def board(
        self, problem: Problem, entries: Sequence[Entry], *, dtype: str, size: str | None = None
    ) -> list[Standing]:
        tie, ranked = problem.file.ranking.tie, ranked_sizes(problem, dtype)
        wanted = [size] if size else overall_sizes(entries, dtype, ranked, RESOLVED)
        # Outside the overall board an entry with a part of the grid counts like any other.
        each = [line_of(entry, dtype, wanted, () if size else ranked) for entry in entries]
        lines = [line for line in each if line is not None]
        best = best_of_each(lines, tie)
        return place(best, tie, problem.file.ranking.order, wander(best))


def ranked_sizes(problem: Problem, dtype: str) -> list[str]:
    """Names of the ranked sizes of a dtype, in the order of the file."""
    return [cell.size for cell in problem.cells if cell.ranked and cell.dtype == dtype]


def best_of_each(lines: Iterable[Line], tie: float) -> list[Line]:
    """One line per user: in the order of submission, each next one has to win by more than the tie.

    Otherwise handing in trivial variants of one kernel would be a lottery with as many draws as one likes.
    """
    best: dict[str, Line] = {}
    for line in sorted(lines, key=lambda line: (line.entry.submitted, line.entry.id)):
        held = best.get(line.entry.user)
        if held is None or line.score * (1 + tie) < held.score:
            best[line.entry.user] = line
    return list(best.values())
