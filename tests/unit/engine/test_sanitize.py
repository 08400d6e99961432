"""``--sanitize``: refused in one line where it does not fit, and what it changes in the job and in the report."""

from __future__ import annotations

import pytest

from kernelbot_core import Availability, Sanitizer
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.sanitize import SLOWER
from kernelbot_core.errors import UsageError
from kernelbot_core.model.report import CaseError
from kernelbot_core.runner.sanitized import explained
from kernelbot_core.worker.exact import on_copies


class Checker(Sanitizer):
    """A checker whose tool is there or not."""

    name = "checker"

    def __init__(self, why=""):
        self.why = why

    def available(self):
        return Availability(ok=not self.why, why=self.why, fix="get it")

    def command(self, command):
        return ["check", *command]

    def findings(self, output):
        return output.splitlines()


@pytest.fixture
def take(world, problem, kernel):
    def make(**more):
        return accept_file(world.registry, problem, kernel, **{"device": "cpu", "sanitize": True, **more})

    return make


def test_a_language_without_a_checker(take):
    with pytest.raises(UsageError, match="--sanitize: torch has no memory checker on the CPU"):
        take(mode="test")


@pytest.mark.parametrize("mode", ["benchmark", "ranked"])
def test_modes_that_measure(take, mode):
    with pytest.raises(UsageError, match=f"--sanitize does not go with --mode {mode}") as caught:
        take(mode=mode)
    assert "--mode test" in caught.value.hint


def test_missing_tool(take, world, monkeypatch):
    monkeypatch.setattr(world.registry.languages["torch"], "sanitizer", lambda kind: Checker("no tool"), raising=False)
    with pytest.raises(UsageError, match="--sanitize: no tool") as caught:
        take(mode="test")
    assert caught.value.hint == "get it"


def test_more_time_and_marked(take, world, problem, monkeypatch):
    monkeypatch.setattr(world.registry.languages["torch"], "sanitizer", lambda kind: Checker(), raising=False)
    job = take(mode="test")
    assert job.sanitize
    assert job.limits.call_s == problem.file.limits.call_s * SLOWER
    assert not take(mode="test", sanitize=False).sanitize


def test_finding_is_the_reason(take, make_report, fail):
    report = fail(make_report(take(sanitize=False, mode="test")), "crashed", error=CaseError(message="exit code 1"))
    found = explained(report, ["k.cu:4: too far", "PASSED\n\x1b[2Jon cpu"])
    bad = next(case for case in found.cases if case.status == "failed")
    assert (bad.reason, bad.error.message, bad.error.text) == (
        "the checker says: k.cu:4: too far", "the checker says: k.cu:4: too far",
        "the checker says: k.cu:4: too far\nthe checker says: PASSED on cpu",
    )  # fmt: skip
    assert found.reason == f"{bad.id}: the checker says: k.cu:4: too far"
    assert found.status == "crashed"
    assert explained(report, []) == report


def test_finding_changes_no_verdict(take, make_report, fail):
    passed = make_report(take(sanitize=False, mode="test"))
    assert explained(passed, ["printed by the submission"]) == passed
    wrong = fail(passed, "wrong")
    assert explained(wrong, ["printed by the submission"]) == wrong


def test_copies_end_where_the_tensors_end():
    import torch

    shared = torch.zeros(1000)
    tensors = [torch.arange(5.0), shared[:5]]
    seen = []

    def call(copies):
        seen.extend(copies)
        copies[1][:] = copies[0] * 2
        copies[0].zero_()

    on_copies(call, tensors, 1)
    assert shared[:6].tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 0.0]
    assert tensors[0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert [copy.untyped_storage().nbytes() for copy in seen] == [20, 20]
