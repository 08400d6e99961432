"""The judge's half before a scripted worker: nobody is done before the gate is open."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from kernelbot_core import CaseFailure, Kind
from kernelbot_core.judge.buffers import BufferSet
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.model.message import Message
from kernelbot_core.testing import ScriptedRunner, honest
from kernelbot_device_cpu._judge import CpuJudge

COUNT = 256


@pytest.fixture
def call():
    """``call(script)``: one gated call on a worker that follows the script; gives the sample and the runner."""
    device, ends = CpuJudge(0), []

    def make(script):
        runner = ScriptedRunner(script)
        link = WorkerLink(runner, runner.spawn("submission"), -1)
        one = BufferSet([device.allocate(4 * COUNT)], [device.allocate(4 * COUNT)])
        ends.extend([link, *one.all])
        link.expect(Kind.HELLO, bytes(16), 5)
        worker = SimpleNamespace(link=link, buffers=SimpleNamespace(sets=[one], shapes=[(COUNT,)], dtypes=["fp32"]))
        caller = Caller(device, worker, 5.0, 5.0)
        return caller.gated_call(Draw.given([torch.arange(COUNT, dtype=torch.float32)]), 0), runner

    yield make
    for end in ends:
        end.close()


def early(message):
    """Queued and done in one breath, with a time that nobody could measure."""
    if message.kind is Kind.CALL:
        return [Message(kind=kind, id=message.id, scalars=(1e-9,)) for kind in (Kind.QUEUED, Kind.DONE)]
    return [] if message.kind is Kind.GO else honest(message)


def test_done_before_the_gate_is_open_is_a_lie(call):
    with pytest.raises(CaseFailure, match="out of turn") as caught:
        call(early)
    assert caught.value.status == "protocol"


def test_done_after_it_is_an_answer(call):
    sample, runner = call(honest)
    assert sample.E == 1e-6
    assert sample.T > 0
    assert runner.killed == []
