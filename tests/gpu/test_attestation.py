"""Whole jobs on the GPU whose claimed times are held against the judge's clock: honest ones, and one that lies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kernelbot_core.engine.run import judge_file
from kernelbot_core.engine.selftest import CLOCK
from kernelbot_core.judge.attest import rise_by_itself
from kernelbot_core.model.submission import Measure
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry

pytestmark = pytest.mark.gpu
RETURNS = """
import torch


def solve(a, n, cycles):
    torch.cuda._sleep(cycles)
    return a + 1
"""
LIAR = """
import torch

true = torch.cuda.Event.elapsed_time
torch.cuda.Event.elapsed_time = lambda self, other: 0.5 * true(self, other)


def solve(a, out, n, cycles):
    torch.cuda._sleep(cycles)
    torch.add(a, 1, out=out)
"""


SLOW = "torch.cuda._sleep(cycles)", "torch.cuda._sleep(cycles + 4_000_000)"
"""The baseline takes 2 ms more."""
LIAR_OF_FIVE = LIAR.replace("0.5 * true(self, other)", "true(self, other) - 0.005")


@pytest.fixture
def timed(needs_gpu, tmp_path):
    """``timed(source, size)``: the report and its timed case; the source None is the selftest's own."""

    def judge(source, size, pack=CLOCK, **measure):
        file = CLOCK / "submission.py"
        if source is not None:
            file = tmp_path / "kernel.py"
            file.write_text(source)
        report = judge_file(
            registry(), load_problem(pack), file, device="cuda:0", lang="torch", sizes=[size],
            measure=Measure(**measure),
        )  # fmt: skip
        return report, next(case for case in report.cases if case.kind == "bench" and case.size == size)

    return judge


@pytest.mark.parametrize("size", ["add_1ki", "add_16mi", "spin_2m"])
def test_an_honest_kernel_is_attested(timed, size):
    report, case = timed(None, size)
    assert report.status == "passed", report.reason
    assert case.attestation.ok
    assert case.attestation.meddled <= 3 * rise_by_itself([case.attestation.harness_clean])
    assert case.unattested.do_bench > 0
    assert case.unattested.wall > case.stats.median
    assert case.throughput.bandwidth_of_copy > 0


def test_a_short_kernel_is_measured_by_several_processes(timed):
    report, case = timed(None, "add_1ki", instances=3)
    assert report.status == "passed", report.reason
    assert [one.n for one in case.instances] == [50, 20, 20]


def test_half_of_a_millisecond_cannot_be_hidden(timed):
    report, case = timed(LIAR, "spin_2m")
    assert report.status == "not_attested", report.reason
    assert case.attestation.repeated
    assert case.attestation.excess > case.stats.median / 2
    assert case.attestation.bound > case.stats.median


def test_copying_returned_outputs_is_part_of_the_time(timed):
    report, case = timed(RETURNS, "add_16mi")
    assert report.status == "passed", report.reason
    assert report.returns_value
    assert case.throughput.speedup < 0.8, "a copy moves as many bytes as the addition"


def test_a_flush_by_writing_makes_the_kernel_pay(timed):
    _, read = timed(None, "add_16mi")
    _, written = timed(None, "add_16mi", flush="write")
    assert written.stats.median > read.stats.median


@pytest.fixture
def slow_pack(tmp_path):
    """The selftest's pack with a baseline a hundred times slower than what is handed in."""
    pack = Path(shutil.copytree(CLOCK, tmp_path / "clock"))
    text = (pack / "problem.py").read_text()
    assert SLOW[0] in text
    (pack / "problem.py").write_text(text.replace(*SLOW))
    return pack


def test_beside_a_slow_baseline_the_quiet_calls_are_stand_ins(timed, slow_pack):
    report, case = timed(None, "add_4mi", pack=slow_pack)
    assert report.status == "passed", report.reason
    found = case.attestation
    assert case.throughput.speedup > 50
    assert found.excess_quiet <= found.tol_quiet
    assert None not in (found.level, found.level_quiet)
    assert found.attested_to * case.stats.median < 5e-6, "with timed calls alone it is more than 7.5"


def test_beside_a_slow_baseline_five_microseconds_cannot_be_hidden(timed, slow_pack):
    report, case = timed(LIAR_OF_FIVE, "add_4mi", pack=slow_pack)
    assert report.status == "not_attested" or case.attestation.replaced, case.attestation
