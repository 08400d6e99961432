"""The judge's half of the gate, on a page of its own; no GPU is needed for what the flags say."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kernelbot_core import CaseFailure
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.testing import ScriptedRunner

pytest.importorskip("cuda.bindings", reason="the driver's bindings are not installed")
from kernelbot_gpu_nvidia._gate import DONE, GO
from kernelbot_gpu_nvidia._judge import NvidiaJudge

CONTROL, CALLS = 7, 3


@pytest.fixture
def gate():
    """A judge that has not opened a device, one page of flags, and the link to a worker at its third call."""
    judge, flags, runner = NvidiaJudge.__new__(NvidiaJudge), [0] * 64, ScriptedRunner()
    judge._pages = {CONTROL: SimpleNamespace(flags=flags)}
    link = WorkerLink(runner, runner.spawn("submission"), -1)
    link.control, link.calls = CONTROL, CALLS
    yield judge, flags, link
    link.close()


def test_done_before_the_gate_is_open_is_a_lie(gate):
    judge, flags, link = gate
    flags[DONE] = CALLS
    with pytest.raises(CaseFailure, match="before the gate was open") as caught:
        judge.through_gate(link, bytes(16), 1.0, [])
    assert caught.value.status == "protocol"
    assert flags[GO] == 0
