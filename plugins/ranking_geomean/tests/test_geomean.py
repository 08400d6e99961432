"""Scores, boards, ties: what the rules say, and what no unit and no order of reading may change."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core import Run
from kernelbot_core.conformance import sample
from kernelbot_core.model.report import Throughput
from kernelbot_ranking_geomean import Geomean

replace = msgspec.structs.replace
RANKING = Geomean()
PROBLEM = sample.problem()
SHARP, BLURRED = 0.001, 0.05


def results(times, resolution=SHARP):
    """One run's results; ``resolution`` is a number, or a size -> number."""
    made = sample.run("r", times).results
    width = resolution if isinstance(resolution, dict) else dict.fromkeys(times, resolution)
    return [replace(result, resolution=width[result.size]) for result in made]


def entry(name, small, large, *, user=None, day=1, lines=10, resolution=SHARP):
    """An entry; a time may be a list, one for each run."""
    smalls, larges = ([t] if isinstance(t, float) else t for t in (small, large))
    runs = [
        Run(report=f"{name}{n}", at="2026-01-01T00:00:00+00:00", results=results({"small": s, "large": w}, resolution))
        for n, (s, w) in enumerate(zip(smalls, larges, strict=True))
    ]
    return replace(sample.entry(name, user or name, runs=runs, day=day), lines=lines)


def partial(name, times, skipped=()):
    run = Run(report=name, at="2026-01-01T00:00:00+00:00", results=results(times), skipped=list(skipped))
    return sample.entry(name, name, runs=[run])


def board(*entries, size=None, problem=PROBLEM):
    return RANKING.board(problem, entries, dtype="fp32", size=size)


def places(*entries, **more):
    return [(s.rank, s.entry.id) for s in board(*entries, **more)]


def with_ranking(**changes):
    file = replace(PROBLEM.file, ranking=replace(PROBLEM.file.ranking, **changes))
    return replace(PROBLEM, file=file)


def report(times, resolution=SHARP, speedup=2.0, **statuses):
    made = sample.report("r", times)
    width = resolution if isinstance(resolution, dict) else dict.fromkeys(times, resolution)
    cases = [
        replace(
            c, stats=replace(c.stats, resolution=width[c.size]), status=statuses.get(c.size, c.status),
            throughput=Throughput(bytes_per_s=1.0, flops_per_s=1.0, speedup=speedup),
        )
        for c in made.cases
    ]  # fmt: skip
    return replace(made, cases=[replace(c, stats=None) if c.status != "passed" else c for c in cases])


def test_the_score_is_the_geometric_mean():
    score, scores, baseline = RANKING.score(PROBLEM, report({"small": 1e-3, "large": 4e-3}))
    assert score == pytest.approx(2e-3)
    assert scores == {"fp32": score}
    assert baseline == {"fp32": pytest.approx(4e-3)}


def test_a_size_that_the_device_cannot_hold_is_left_out():
    score, _, _ = RANKING.score(PROBLEM, report({"small": 1e-3, "large": 4e-3}, large="skipped"))
    assert score == pytest.approx(1e-3)


def test_a_size_that_was_not_measured_leaves_no_score():
    assert RANKING.score(PROBLEM, report({"small": 1e-3})) == (None, {}, {})
    assert RANKING.score(PROBLEM, report({"small": 1e-3, "large": 4e-3}, large="not_reached")) == (None, {}, {})


def test_a_blurred_cell_is_left_out_of_the_score_where_a_sharp_one_is_there():
    times = {"small": 1e-3, "large": 4e-3}
    score, _, baseline = RANKING.score(PROBLEM, report(times, {"small": BLURRED, "large": SHARP}))
    assert score == pytest.approx(4e-3)
    assert baseline["fp32"] == pytest.approx(8e-3)
    score, _, _ = RANKING.score(PROBLEM, report(times, BLURRED))
    assert score == pytest.approx(2e-3)


def test_no_baseline_where_it_is_not_known():
    assert RANKING.score(PROBLEM, report({"small": 1e-3, "large": 4e-3}, speedup=None))[2] == {}


def test_another_dtype_does_not_matter():
    other = [replace(c, dtype="fp16") for c in report({"small": 1e-6, "large": 1e-6}).cases]
    made = report({"small": 1e-3, "large": 4e-3})
    assert RANKING.score(PROBLEM, replace(made, cases=made.cases + other))[0] == pytest.approx(2e-3)


def test_an_entry_is_worth_the_median_of_its_runs():
    (line,) = board(entry("a", [3e-3, 1e-3, 2e-3], [2e-3, 2e-3, 2e-3]))
    assert line.score == pytest.approx(2e-3)
    assert line.p99 == pytest.approx(2.2e-3)
    assert line.baseline == pytest.approx(1e-3)


def test_a_board_of_one_size_is_that_size():
    assert places(entry("a", 1e-3, 9e-3), entry("b", 2e-3, 1e-3), size="small") == [(1, "a"), (2, "b")]
    assert places(entry("a", 1e-3, 9e-3), entry("b", 2e-3, 1e-3), size="large") == [(1, "b"), (2, "a")]


def test_a_part_of_the_grid_stands_on_its_own_boards_only():
    part = partial("part", {"small": 1e-6})
    assert places(part) == []
    assert places(part, size="small") == [(1, "part")]
    assert places(part, entry("whole", 1e-3, 1e-3)) == [(1, "whole")]


def test_a_size_that_nobody_could_measure_counts_for_nobody():
    one = partial("one", {"small": 1e-3}, ["large-fp32"])
    two = partial("two", {"small": 2e-3}, ["large-fp32"])
    assert places(one, two) == [(1, "one"), (2, "two")]


def test_who_skipped_what_others_measured_has_no_overall_place():
    one = partial("one", {"small": 1e-6}, ["large-fp32"])
    assert places(one, entry("whole", 1e-3, 1e-3)) == [(1, "whole")]


def test_a_size_that_most_cannot_resolve_is_left_out_for_all():
    fuzzy = {"small": BLURRED, "large": SHARP}
    noisy = [entry("a", 1e-6, 2e-3, resolution=fuzzy), entry("b", 9.0, 1e-3, resolution=fuzzy)]
    assert [line.score for line in board(*noisy)] == [pytest.approx(1e-3), pytest.approx(2e-3)]


def test_one_noisy_entry_takes_no_size_off_the_board():
    noisy = entry("noisy", 9e-3, 1e-3, resolution={"small": BLURRED, "large": SHARP})
    others = [entry("a", 1e-3, 2e-3), entry("b", 2e-3, 2e-3)]
    assert [i for _, i in places(noisy, *others)] == ["a", "b", "noisy"]


def test_many_noisy_entries_of_one_user_take_no_size_off_the_board():
    fuzzy = {"small": BLURRED, "large": SHARP}
    many = [entry(f"x{n}", 9e-3, 1e-3, user="mallory", day=n + 3, resolution=fuzzy) for n in range(9)]
    others = [entry("a", 1e-3, 2e-3), entry("b", 2e-3, 2e-3)]
    assert [i for _, i in places(*many, *others)] == ["a", "b", "x0"]


def test_ties_are_counted_from_the_leader_of_the_group_not_from_the_neighbour():
    chain = [entry(n, t, t, day=9 - i) for i, (n, t) in enumerate([("a", 1.0), ("b", 1.008), ("c", 1.016)])]
    assert places(*chain) == [(1, "b"), (1, "a"), (3, "c")]
    assert [line.tied for line in board(*chain)] == [True, True, False]


def test_inside_a_tie_the_earlier_one_is_first_or_the_shorter_where_the_problem_asks():
    late, early = entry("late", 1.0, 1.0, day=2, lines=5), entry("early", 1.005, 1.005, day=1, lines=50)
    assert places(late, early) == [(1, "early"), (1, "late")]
    assert places(late, early, problem=with_ranking(order=("lines",))) == [(1, "late"), (1, "early")]
    same = replace(late, id="same", user="same", submitted=early.submitted)
    ordered = places(late, early, same, problem=with_ranking(order=("lines", "time")))
    assert ordered == [(1, "same"), (1, "late"), (1, "early")]


def test_a_tie_is_as_wide_as_the_leader_resolves():
    leader, behind = entry("leader", 1.0, 1.0, resolution=BLURRED), entry("behind", 1.04, 1.04)
    assert [rank for rank, _ in places(leader, behind)] == [1, 1]


def test_noise_of_ones_own_is_no_way_to_a_shared_place():
    leader, noisy = entry("leader", 1.0, 1.0), entry("noisy", 1.04, 1.04, resolution=0.5)
    assert [rank for rank, _ in places(leader, noisy)] == [1, 2]


def test_without_a_tie_every_difference_counts():
    close = [replace(entry("b", 1.0001, 1.0001, resolution=1e-6)), entry("a", 1.0, 1.0, resolution=1e-6)]
    assert places(*close, problem=with_ranking(tie=0.0)) == [(1, "a"), (2, "b")]


def test_a_later_entry_replaces_ones_own_only_when_it_clearly_wins():
    first = entry("first", 1.0, 1.0, user="ada", day=1)
    hair = entry("hair", 0.995, 0.995, user="ada", day=2)
    clear = entry("clear", 0.98, 0.98, user="ada", day=3)
    slower = entry("slower", 2.0, 2.0, user="ada", day=4)
    assert places(first, hair) == [(1, "first")]
    assert places(first, hair, clear, slower) == [(1, "clear")]


TIMES = st.floats(1e-6, 1.0)
ENTRIES = st.lists(st.tuples(TIMES, TIMES, st.sampled_from("uvwx"), st.integers(1, 28)), min_size=1, max_size=8)


def build(rows, factor=1.0):
    return [entry(f"e{n}", s * factor, w * factor, user=u, day=d) for n, (s, w, u, d) in enumerate(rows)]


@given(ENTRIES, st.sampled_from([1e-3, 1e3, 1e6, 0.125]))
def test_a_unit_changes_nothing(rows, factor):
    assert places(*build(rows)) == places(*build(rows, factor))


@given(ENTRIES, st.randoms())
def test_the_order_of_reading_changes_nothing(rows, random):
    shuffled = build(rows)
    random.shuffle(shuffled)
    assert board(*shuffled) == board(*build(rows))


@given(ENTRIES)
def test_places_are_sound(rows):
    lines = board(*build(rows))
    assert {line.entry.user for line in lines} == {user for *_, user, _ in rows}
    assert len(lines) == len({line.entry.user for line in lines})
    ranks = [line.rank for line in lines]
    assert ranks == sorted(ranks)
    assert all(ranks.index(rank) + 1 == rank for rank in ranks)
    for rank in set(ranks):
        group = [line.score for line in lines if line.rank == rank]
        assert math.log(max(group) / min(group)) <= math.log1p(0.01) + 1e-9
        assert all(line.tied == (len(group) > 1) for line in lines if line.rank == rank)
        assert all(line.score > max(group) for line in lines if line.rank > rank)


@given(ENTRIES, st.integers(0, 7))
def test_getting_faster_never_costs_a_place(rows, which):
    """Without earlier entries of the same person, which stay until they are clearly beaten."""
    alone = [(s, w, f"u{n}", d) for n, (s, w, _, d) in enumerate(rows)]
    at = which % len(alone)
    small, large, user, day = alone[at]
    better = [*alone[:at], (small / 2, large / 2, user, day), *alone[at + 1 :]]

    def rank(table):
        return next(line.rank for line in board(*build(table)) if line.entry.user == user)

    assert rank(better) <= rank(alone)


def beside(name, time, baseline, *, user=None, day=1):
    """An entry whose runs had a baseline that took so long in both sizes."""
    made = entry(name, time, time, user=user, day=day)
    runs = [replace(run, results=[replace(one, baseline=baseline) for one in run.results]) for run in made.runs]
    return replace(made, runs=runs)


WANDERING = (1.00, 1.05, 0.96, 1.03, 0.98, 1.06)


def test_copies_of_one_file_tie_on_a_machine_whose_runs_wander():
    """Six users hand in the same kernel; machine and baseline are up to 10 % slower in one run than in another."""
    same = [beside(f"u{n}", 2.0 * pace, 3.0 * pace) for n, pace in enumerate(WANDERING)]
    assert {rank for rank, _ in places(*same)} == {1}
    faster = beside("fast", 1.4, 3.0)
    assert [rank for rank, _ in places(*same, faster)] == [1, 2, 2, 2, 2, 2, 2]


def test_on_a_steady_machine_the_tie_is_the_problems():
    steady = [beside(f"u{n}", 2.0 + 0.05 * n, 3.0 * (1 + 1e-4 * n)) for n in range(4)]
    assert [rank for rank, _ in places(*steady)] == [1, 2, 3, 4]


def test_many_names_with_slow_baselines_share_no_place_with_who_is_much_faster():
    honest = [beside("a", 1.0, 3.0), beside("b", 1.3, 3.0)]
    puppets = [beside(f"m{n}", 1.6, 3.0 * 4 ** (n + 1)) for n in range(4)]
    assert {i: rank for rank, i in places(*honest, *puppets)} == {"a": 1, "b": 2} | {f"m{n}": 2 for n in range(4)}


def test_nobody_alone_widens_the_ties_by_slowing_the_baseline_down():
    steady = [beside(f"u{n}", 2.0 + 0.05 * n, 3.0) for n in range(4)]
    many = [beside(f"x{n}", 2.5, 3.0 * (1 + n), user="mallory", day=2 + n) for n in range(9)]
    assert [rank for rank, _ in places(*steady, *many)][:4] == [1, 2, 3, 4]


def test_of_two_users_nothing_is_known():
    assert [rank for rank, _ in places(beside("a", 2.0, 3.0), beside("b", 2.05, 4.0))] == [1, 2]
