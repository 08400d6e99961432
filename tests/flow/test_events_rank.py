"""Devices whose events rank, played by the processor: E is the worker's own word, T is the judge's, as on a GPU."""

from __future__ import annotations

import shutil
import statistics
import sys
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from kernelbot_core.engine.accept import accept_file
from kernelbot_core.judge import attest, bench, cell, clean, instances, levels, notes
from kernelbot_core.judge.cases import judge_case
from kernelbot_core.judge.clean import FEWEST
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.packs.find import resolve
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import Settings

pytestmark = pytest.mark.slow
DOUBLE = "events_double"
BUSY_HOST = 5e-3
"""s_T of a processor that others use too."""
HONEST = "import torch\n\n\ndef solve(a, b, c, n):\n    torch.add(a, b, out=c)\n"
RETURNS = "import torch\n\n\ndef solve(a, b, n):\n    return torch.add(a, b)\n"
LIAR = """
import time

import torch

now = time.perf_counter_ns()


def tick():
    global now
    now += 30_000
    return now


time.perf_counter_ns = tick


def solve(a, b, c, n):
    time.sleep(0.08)
    torch.add(a, b, out=c)
"""
DIES_IN_THE_LOOP = """
import os

import torch

calls = 0


def solve(a, b, c, n):
    global calls
    calls += 1
    if calls > 3 + 5 + 6:
        os._exit(3)
    torch.add(a, b, out=c)
"""


@pytest.fixture
def double(monkeypatch):
    from kernelbot_device_cpu._judge import CpuJudge

    class EventsJudge(CpuJudge):
        """The worker's clock ranks."""

        ranks_on = "E"

    module = ModuleType(DOUBLE)
    module.EventsJudge = EventsJudge
    monkeypatch.setitem(sys.modules, DOUBLE, module)
    monkeypatch.setitem(bench.CELL_SECONDS, "E", 60.0)  # a busy processor is slow, and the counts are under test
    for user in (instances, notes):
        monkeypatch.setattr(user, "SHORT", 1.0)  # cold, a processor takes 50 us for the smallest cell
    monkeypatch.setattr(instances, "STEPS", ((1.0, 5),))
    monkeypatch.setattr(bench, "PAIRS", 8)
    monkeypatch.setattr(levels, "S_T_OPEN", BUSY_HOST)
    monkeypatch.setattr(levels, "APART", 2 * BUSY_HOST)


@pytest.fixture
def hasty(monkeypatch):
    """The processes of a second look make few calls: liars take long for each, and lie by far more than any noise."""
    monkeypatch.setattr(cell, "FURTHER", cell.FURTHER._replace(pairs=6))


@pytest.fixture
def measured(double, tmp_path, nothing_left):
    """``measured(source, ...)``: results of build and timed cells, events, and the session, which is closed."""

    def measure(source, *, processes=1, dtypes=("fp32",), quiet=False, problem=None):
        file = tmp_path / "kernel.py"
        file.write_text(source)
        found, events = registry(), []
        job = accept_file(
            found, problem or resolve("vector_add", found.pack_sources), file, settings=Settings(), device="cpu",
            sizes=["small"], dtypes=dtypes, lang="torch",
        )  # fmt: skip
        order = make_order(found, job)
        order = replace(
            order, cases=[case for case in order.cases if case.kind in ("build", "bench")], s_T=BUSY_HOST,
            s_T_source="test", judge_device=f"{DOUBLE}:EventsJudge", pairs=6, instances=processes, quiet=quiet,
        )  # fmt: skip
        folder = JobFolder(job.id)
        runner = JobRunner(found, job, folder, events.append)
        session = JudgeSession(order, runner)
        try:
            results = [judge_case(session, case) for case in order.cases]
        finally:
            session.close()
            runner.close()
            folder.close()
        return results, events, session

    return measure


def test_a_short_kernel_is_measured_by_several_processes_and_attested(measured):
    (_, result), events, session = measured(HONEST, processes=3)
    assert result.status == "passed", result.reason
    assert result.stats.n == 6 + 20 + 20
    assert [one.n for one in result.instances] == [6, 20, 20]
    assert result.instances[0].samples is None
    assert len(result.instances[1].samples.E) == 20
    assert min(i.median for i in result.instances) <= result.stats.median <= max(i.median for i in result.instances)
    found = result.attestation
    assert found.ok
    assert not found.repeated
    assert (found.s_T, found.source) == (BUSY_HOST, "test")
    assert found.c0 > 0
    assert len(session.clean.get(session.timed_cells()[0]).D) >= FEWEST
    said = [event.text for event in events if "provisional" in event.text]
    assert [text.partition(", ")[2] for text in said] == ["1 of 3 processes", "2 of 3 processes"]
    assert result.unattested.do_bench > 0


def test_a_time_that_is_a_little_short_is_replaced_by_the_judges(measured, hasty):
    (_, result), _, _ = measured(LIAR.replace("0.08", "0.022"))
    assert result.status == "passed", result.reason
    found = result.attestation
    assert not found.ok
    assert found.repeated
    assert found.replaced
    assert result.stats.median > 0.02, "and not the 30 us that are claimed"
    least = 2 * found.s_T / len(result.instances or [0]) ** 0.5 / result.stats.median
    assert result.stats.resolution >= least, "the judge's clock resolves no more than its spread"
    assert statistics.median(result.samples.E) == pytest.approx(3e-5)
    assert any("judge's clock" in note for note in result.notes)


def test_one_process_for_a_short_kernel_is_noted(measured):
    (_, result), _, _ = measured(HONEST)
    assert result.instances == []
    assert any("one process only" in note for note in result.notes)


def test_an_understated_time_is_measured_again_and_refused(measured, hasty):
    (_, result), _, session = measured(LIAR)
    assert (result.status, result.verdict) == ("failed", "not_attested")
    found = result.attestation
    assert found.repeated
    assert found.excess > 0.07
    assert found.bound > 0.07 > result.stats.median
    assert result.stats.median == pytest.approx(3e-5)
    assert "claims 30.00 us" in result.reason
    assert "measured twice" in result.reason
    assert session.recorder.status()[0] == "not_attested"
    assert result.unattested is None


def test_copying_returned_outputs_is_part_of_the_time(measured):
    (_, result), _, _ = measured(RETURNS)
    assert result.status == "passed", result.reason
    assert result.attestation.ok


def test_what_a_loop_breaks_costs_its_figure_only(measured):
    (_, first, second), _, session = measured(DIES_IN_THE_LOOP, dtypes=("fp32", "fp16"))
    assert (first.status, second.status) == ("passed", "passed"), (first.reason, second.reason)
    assert first.unattested is None
    assert not session.worn_out()


def test_beside_each_timed_pair_a_quiet_one(measured, monkeypatch):
    monkeypatch.setattr(clean, "QUIET_BELOW", 1.0)  # a busy processor takes its time
    monkeypatch.setattr(attest, "QUIET_BELOW", 1.0)
    (_, result), _, session = measured(HONEST, processes=2, quiet=True)
    assert result.status == "passed", result.reason
    for samples in (result.samples, result.instances[1].samples):
        assert len(samples.T_quiet) == len(samples.T_quiet_ref) == max(len(samples.E), 8)
        assert samples.order.count("S") == len(samples.E)
        assert samples.order.count("s") == len(samples.T_quiet)
        assert samples.order.startswith("SR0RSSR")
        assert samples.order.endswith("srsrsr")
    assert len(session.clean.get(session.timed_cells()[0]).quiet) >= FEWEST
    found = result.attestation
    assert found.excess_quiet <= found.tol_quiet
    assert None not in (found.level, found.level_quiet), "each process was looked at before it had loaded anything"


def test_beside_a_slow_baseline_the_quiet_calls_are_stand_ins(measured, monkeypatch, tmp_path):
    """The baseline takes 0.4 s, and a call has to be done in 0.3 s to have quiet ones."""
    pack = Path(shutil.copytree(resolve("vector_add", registry().pack_sources).path, tmp_path / "vector_add"))
    with (pack / "problem.py").open("a") as text:
        text.write("\n\nimport time\n\nfast = baseline\n\n\n")
        text.write("def baseline(a, b, out, n):\n    time.sleep(0.4)\n    fast(a, b, out, n)\n")
    monkeypatch.setattr(clean, "QUIET_BELOW", 0.3)
    monkeypatch.setattr(attest, "QUIET_BELOW", 0.3)
    monkeypatch.setattr(bench, "PAIRS", 8)
    (_, result), _, session = measured(HONEST, quiet=True, problem=load_problem(pack))
    assert result.status == "passed", result.reason
    found = session.clean.get(session.timed_cells()[0])
    assert found.stand_in
    assert max(*found.quiet, *found.E_quiet) < 0.3 < min(found.E)
    assert max(result.samples.T_quiet_ref) < 0.3 < min(result.samples.E_ref)
    assert result.attestation.excess_quiet <= result.attestation.tol_quiet
    assert None not in (result.attestation.level, result.attestation.level_quiet)


def test_what_a_process_hides_shows_in_the_calls_that_it_does_not_time(measured, hasty, monkeypatch):
    monkeypatch.setattr(clean, "QUIET_BELOW", 1.0)
    (_, result), _, _ = measured(LIAR, quiet=True)
    assert (result.status, result.verdict) == ("failed", "not_attested")
    assert result.attestation.excess_quiet > 0.07
