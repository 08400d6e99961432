"""On a GPU: the kinds that need one, a form of each. The table with times is `benchmarks/adversarial.py`."""

import pytest
from adversary import catalog, trial, zoo

pytestmark = pytest.mark.gpu
DEVICE = "cuda:0"
OF_THE_GPU = [case for case in trial.selected(catalog.cheats(), DEVICE) if "cpu" not in case.devices]
CHEATS = {case.path: case for case in reversed(OF_THE_GPU)}.values()


def ids(case):
    return case.name


@pytest.fixture(scope="module", autouse=True)
def needs_gpu():
    from kernelbot_core.plugins import registry

    here = registry().devices["nvidia"].available()
    if not here.ok:
        pytest.skip(here.why)


@pytest.fixture(scope="module")
def naive(needs_gpu):
    with trial.NaiveHarness(DEVICE) as harness:
        yield harness


@pytest.fixture(scope="module")
def judge():
    return trial.Judge(DEVICE)


@pytest.mark.parametrize("case", [case for case in CHEATS if case.naive is not None], ids=ids)
def test_the_naive_harness_accepts_it(case, naive):
    said = naive.run(case)
    assert said.accepted, said.error


@pytest.mark.parametrize("case", CHEATS, ids=ids)
def test_the_judge_does_not(case, judge):
    outcome = judge.run(case)
    assert outcome.ok, f"{outcome.said}, expected {sorted(outcome.expected)}: {outcome.verdict.reason}"


@pytest.mark.parametrize("case", list(trial.selected(catalog.honest(), DEVICE)), ids=ids)
def test_honest_kernels_pass(case):
    seen = zoo.visit(case, DEVICE)
    if seen.absent:
        pytest.skip(seen.reason)
    assert seen.status == "passed", seen.reason
