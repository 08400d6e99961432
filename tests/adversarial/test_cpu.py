"""On the processor: every cheat lives in the naive harness, and one form of each gets the verdict it names from ours.

The whole of it, every problem and the times, is ``make adversarial``.
"""

import pytest
from adversary import catalog, trial

CHEATS = list(trial.selected(catalog.cheats(), "cpu"))
JUDGED = [case for case in CHEATS if case.first and case.mode == "test"]
TARGETS = [case for case in CHEATS if case.naive is not None]


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


@pytest.mark.parametrize("case", [c for c in catalog.cheats() if "gpu" in c.devices], ids=ids)
def test_gpu_cheats_are_whole(case):
    """They run elsewhere; here they are at least programs with a header that can be read."""
    if case.path.suffix == ".py":
        compile(case.source(), case.path.name, "exec")
    assert case.tries
    assert case.expect
