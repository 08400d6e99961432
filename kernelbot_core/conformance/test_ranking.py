"""Rankings: faster is better, a unit changes nothing, each person stands once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kernelbot_core.conformance import sample
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.model.entry import Entry, Standing

FAST = {"small": 1e-3, "large": 2e-3}


def scaled(factor: float) -> dict[str, float]:
    """The times of ``FAST``, stretched."""
    return {size: time * factor for size, time in FAST.items()}


def entry(name: str, user: str, *factors: float, day: int = 1) -> Entry:
    """An entry with one run per factor."""
    runs = [sample.run(f"{name}-{number}", scaled(factor)) for number, factor in enumerate(factors)]
    return sample.entry(name, user, runs=runs, day=day)


def board(ranking: Ranking, entries: Sequence[Entry], size: str | None = None) -> list[Standing]:
    """The board of the sample problem."""
    return ranking.board(sample.problem(), entries, dtype="fp32", size=size)


def test_a_passed_report_has_a_score(ranking: Ranking) -> None:
    """A positive number, and the same under its dtype."""
    score, scores, baseline = ranking.score(sample.problem(), sample.report("r", FAST))
    assert score is not None
    assert score > 0
    assert scores["fp32"] == score
    assert all(value > 0 for value in baseline.values())


def test_a_faster_report_scores_better(ranking: Ranking) -> None:
    """Smaller is better: scores are seconds."""
    slow, _, _ = ranking.score(sample.problem(), sample.report("r", scaled(2)))
    fast, _, _ = ranking.score(sample.problem(), sample.report("r", FAST))
    assert fast is not None
    assert slow is not None
    assert fast < slow


def test_a_report_without_times_has_no_score(ranking: Ranking) -> None:
    """Nothing measured, nothing ranked."""
    score, scores, _ = ranking.score(sample.problem(), sample.report("r", {}))
    assert score is None
    assert scores == {}


def test_an_empty_board(ranking: Ranking) -> None:
    """Nobody, no error."""
    assert board(ranking, []) == []


@pytest.mark.parametrize("size", [None, "small", "large"])
def test_faster_stands_higher(ranking: Ranking, size: str | None) -> None:
    """Overall and for each size; places start at 1."""
    entries = [entry("c", "cyd", 4), entry("a", "ada", 1), entry("b", "bob", 2)]
    standings = board(ranking, entries, size)
    assert [(s.rank, s.entry.user) for s in standings] == [(1, "ada"), (2, "bob"), (3, "cyd")]
    assert [s.score for s in standings] == sorted(s.score for s in standings)


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_a_unit_changes_nothing(ranking: Ranking, factor: float) -> None:
    """Milliseconds or seconds: the same order, the same ties."""
    factors = {"a": 1.0, "b": 1.004, "c": 1.5, "d": 3.0}
    before = board(ranking, [entry(name, name, value) for name, value in factors.items()])
    after = board(ranking, [entry(name, name, value * factor) for name, value in factors.items()])
    assert [(s.rank, s.entry.id) for s in before] == [(s.rank, s.entry.id) for s in after]


def test_a_person_stands_once_with_the_best_entry(ranking: Ranking) -> None:
    """Handing in more does not fill the board."""
    standings = board(ranking, [entry("a1", "ada", 3), entry("a2", "ada", 1), entry("b", "bob", 2)])
    assert [(s.entry.user, s.entry.id) for s in standings] == [("ada", "a2"), ("bob", "b")]


def test_a_difference_nobody_can_measure_is_a_tie(ranking: Ranking) -> None:
    """Within the problem's tie they share the place; the earlier one is shown first."""
    standings = board(
        ranking, [entry("late", "bob", 1.0, day=2), entry("early", "ada", 1.002, day=1), entry("c", "c", 2)]
    )
    assert [s.rank for s in standings] == [1, 1, 3]
    assert [s.entry.id for s in standings] == ["early", "late", "c"]
    assert [s.tied for s in standings] == [True, True, False]


def test_one_lucky_run_does_not_count(ranking: Ranking) -> None:
    """An entry is worth the median of its runs, so that running again is no lottery."""
    lucky = entry("lucky", "ada", 2.0, 2.0, 0.5)
    standings = board(ranking, [lucky, entry("steady", "bob", 1.5, 1.5, 1.5)])
    assert [s.entry.id for s in standings] == ["steady", "lucky"]


def test_the_order_of_entries_does_not_matter(ranking: Ranking) -> None:
    """A board is a function of what is stored, not of how it was read."""
    entries = [entry(name, name, factor) for name, factor in (("a", 1.0), ("b", 1.006), ("c", 1.013), ("d", 2.0))]
    assert board(ranking, entries) == board(ranking, entries[::-1])
