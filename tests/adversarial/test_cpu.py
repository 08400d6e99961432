"""On the processor: every cheat lives in the naive harness, and one form of each gets the verdict it names from ours.

The whole of it, every problem and the times, is ``make adversarial``.
"""

import re

import pytest
from adversary import catalog, ours, sizes, sweep, trial, zoo

CHEATS = list(trial.selected(catalog.cheats(), "cpu"))
TARGETS = [case for case in CHEATS if case.naive is not None]
JUDGED = list(trial.selected(catalog.cheats(), "cpu", quick_only=True))
HONEST = list(trial.selected(catalog.honest(), "cpu", quick_only=True))


def ids(case):
    return case.name


@pytest.fixture(scope="module")
def naive():
    with trial.NaiveHarness("cpu") as harness:
        yield harness


@pytest.fixture(scope="module")
def judge():
    return trial.Judge("cpu")


@pytest.mark.parametrize("case", TARGETS, ids=ids)
def test_the_naive_harness_accepts_it(case, naive):
    said = naive.run(case)
    assert said.accepted, said.error


def test_the_naive_harness_is_not_blind(naive, tmp_path):
    """It accepts cheats because it trusts, not because it never refuses."""
    assert naive._ask("def solve(*args):\n    pass\n", ".py", "matmul", {})["correct"] is False
    assert naive._ask("def solve(*args):\n    raise ValueError\n", ".py", "matmul", {})["correct"] is False
    assert naive.honest("softmax") > 0


@pytest.mark.parametrize("case", JUDGED, ids=ids)
def test_the_judge_does_not(case, judge):
    outcome = judge.run(case)
    assert outcome.ok, f"{outcome.said}, expected {sorted(outcome.expected)}: {outcome.verdict.reason}"
    assert outcome.verdict.reason
    assert "\n" not in outcome.verdict.reason


@pytest.mark.parametrize("case", HONEST, ids=ids)
def test_honest_kernels_pass(case):
    seen = zoo.visit(case, "cpu")
    assert seen.ok, seen.why


@pytest.mark.parametrize("case", [c for c in catalog.cheats() if "gpu" in c.devices], ids=ids)
def test_gpu_cheats_are_whole(case):
    """They run elsewhere; here they are at least programs with a header that can be read."""
    if case.path.suffix == ".py":
        compile(case.source(), case.path.name, "exec")
    assert case.tries
    assert case.expect


@pytest.mark.parametrize("late", [1e-6, 2e-5, 1e-3])
def test_the_sweep_leaves_as_much_behind_as_it_says(late):
    honest = {size: n * 12 / 4.4e12 for size, n in sizes.SIZES.items()}
    text = sweep.source("late", late, honest)
    problem = sizes.timed_pack()
    assert {cell.size: cell.dims["n"] for cell in problem.cells} == sizes.SIZES
    for size, n in sizes.SIZES.items():
        part, delay = map(int, re.search(rf"n == {n}\) {{ late = (\d+); delay_ns = (\d+)", text).groups())
        assert part / n * honest[size] + delay * 1e-9 == pytest.approx(late, rel=0.02)
    assert f'float("{late * 1e6:g}")' in sweep.source("lie", late, honest)


def test_an_advantage_is_what_the_resolutions_leave():
    honest = ours.Verdict("passed", "", seconds=100e-6, resolution=0.01)
    assert trial.gain(ours.Verdict("passed", "", seconds=90e-6, resolution=0.01), honest) == pytest.approx(8.1e-6)
    assert trial.gain(ours.Verdict("passed", "", seconds=99e-6, resolution=0.01), honest) < 0
    assert trial.gain(ours.Verdict("wrong", ""), honest) == 0
