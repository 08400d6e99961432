"""The order of one call, on a scripted device and a scripted worker."""

import pytest
import torch

from kernelbot_core import CaseFailure
from kernelbot_core.judge.blocks import Rows
from kernelbot_core.judge.buffers import BufferSet
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.model.message import Flag, Kind
from kernelbot_core.testing import ScriptedBuffer, ScriptedDevice, ScriptedRunner, honest


class Worker:
    """As much of a WorkerHandle as a call needs."""

    def __init__(self, link, buffers):
        self.link, self.buffers = link, buffers


class Buffers:
    shapes, dtypes = [()], ["fp32"]

    def __init__(self, one):
        self.sets = [one]


def real():
    """A draw of one input."""
    return Draw.given([torch.arange(256, dtype=torch.float32)])


def disturb(one):
    """Something else lies in the input when the judge looks."""
    one.inputs[0].data = torch.zeros(256)
    return []


@pytest.fixture
def caller():
    links = []

    def make(times=(), script=honest, device=None):
        device = device or ScriptedDevice(times=times)
        runner = ScriptedRunner(script)
        links.append(WorkerLink(runner, runner.spawn("submission"), -1))
        links[-1].expect(Kind.HELLO, bytes(16), 5)
        one = BufferSet([ScriptedBuffer(4)], [ScriptedBuffer(4)])
        return device, one, Caller(device, Worker(links[-1], Buffers(one)), 5.0, 5.0)

    yield make
    for link in links:
        link.close()


def test_inputs_appear_only_after_queued(caller):
    device, _, call = caller(times=[7000])
    sample = call.gated_call(real(), 0)
    assert device.steps == ["poison", "reveal", "flush", "correct", "open", "done", "snapshot"]
    assert pytest.approx(7e-6) == sample.T
    assert sample.E == 1e-6


def test_open_call_reveals_first(caller):
    seen = []
    device, _, call = caller(script=lambda m: seen.append(m) or honest(m))
    call.open_call(real(), 0)
    assert device.steps == ["poison", "reveal", "synchronize", "done", "snapshot"]
    assert seen[-1].flags & Flag.OPEN


def test_null_call_reveals_nothing(caller):
    device, _, call = caller()
    call.gated_call(None, 0)
    assert "reveal" not in device.steps


def test_how_long_the_reveal_takes_counts_only_where_it_is_a_copy(caller):
    """Drawing a large input again goes at the host's pace: milliseconds that no submission has to answer for."""
    device, _, call = caller()
    device.revealed = 5e-3
    assert call.gated_call(real(), 0).reveal == 5e-3
    drawn = Draw(lambda _seed, rows: [torch.arange(rows, dtype=torch.float32)], 7, [Rows(0, 0, 256)], [True])
    assert call.gated_call(drawn, 0).reveal is None


def test_changed_input_is_wrong(caller):
    device, one, call = caller()
    device.snapshot = lambda *a: disturb(one)
    with pytest.raises(CaseFailure, match="changed its input"):
        call.gated_call(real(), 0)


@pytest.mark.parametrize("side", ["inputs", "outputs"])
def test_touched_tail_is_wrong(caller, side):
    _, one, call = caller()
    getattr(one, side)[0].tail_ok = False
    with pytest.raises(CaseFailure, match="outside its buffers"):
        call.gated_call(real(), 0)


def test_watchdog_opens_the_gate_of_a_call_that_synchronises(caller):
    device = ScriptedDevice()
    device.watchdog = True
    _, _, call = caller(device=device, script=lambda m: [] if m.kind is Kind.CALL else honest(m))
    sample = call.gated_call(real(), 0)
    assert sample.host_sync


@pytest.mark.parametrize("claimed", [float("nan"), float("inf"), 0.0, -1.0])
def test_nonsense_time_is_nan(caller, claimed):
    device, _, call = caller()
    device.collect = lambda *a: claimed
    assert call.gated_call(real(), 0).E != call.gated_call(real(), 0).E


@pytest.mark.parametrize("trusted", [False, True])
def test_only_a_trusted_worker_is_spared_the_look_at_its_inputs(caller, trusted):
    device, one, call = caller()
    call.trusted = trusted
    device.snapshot = lambda *a: disturb(one)
    if trusted:
        call.gated_call(real(), 0)
    else:
        with pytest.raises(CaseFailure, match="changed its input"):
            call.gated_call(real(), 0)
    with pytest.raises(CaseFailure, match="changed its input"):
        call.open_call(real(), 0)


def test_a_process_that_gets_slower_and_slower_is_not_waited_for_longer_than_a_call_may_take(caller):
    device, limits = ScriptedDevice(), []
    device.watchdog = True
    _, _, call = caller(device=device)
    call._enqueue += [call.call_limit] * 3
    queued = call.worker.link.queued
    call.worker.link.queued = lambda call_id, limit: limits.append(limit) or queued(call_id, limit)
    call.gated_call(real(), 0)
    assert limits == [call.call_limit]
