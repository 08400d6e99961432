"""The worker's half alone, with the judge's page in the same process."""

from __future__ import annotations

import time

import pytest

pytestmark = pytest.mark.gpu
N = 1 << 20


@pytest.fixture
def page(needs_gpu):
    import torch

    from kernelbot_gpu_nvidia._gate import JudgePage

    torch.zeros(1, device="cuda:0")  # a page is registered with the current context
    opened = JudgePage()
    yield opened
    opened.close()


@pytest.fixture
def worker(page):
    from kernelbot_gpu_nvidia._worker import NvidiaWorker

    opened = NvidiaWorker(0, page.fd)
    yield opened
    opened._gate.close()


@pytest.fixture
def call():
    """A call that says how far it has come."""
    import torch

    class Call:
        def __init__(self):
            self.source = torch.ones(N, device="cuda:0")
            self.out = torch.zeros_like(self.source)
            self.ran = torch.cuda.Event()
            self.entered = False
            torch.add(self.source, 1, out=self.out.clone())
            torch.cuda.synchronize()

        def __call__(self):
            self.entered = True
            torch.add(self.source, 1, out=self.out)
            self.ran.record()

    return Call()


def run(worker, call, number, *, queued, gate_open=False, host_gate=False, timed=True):
    def never():
        raise AssertionError("the gate is no message here")

    return worker.run(
        call, number=number, gate_open=gate_open, host_gate=host_gate, queued=queued, wait_go=never, timed=timed
    )


@pytest.mark.parametrize("timed", [True, False])
def test_nothing_runs_before_the_gate_opens(worker, page, call, timed):
    from kernelbot_gpu_nvidia._gate import DONE, GO

    seen = []

    def queued():
        time.sleep(0.05)
        seen.append((call.entered, call.ran.query(), page.flags[DONE]))
        page.flags[GO] = 1

    elapsed = run(worker, call, 1, queued=queued, timed=timed)
    assert seen == [(True, False, 0)], "enqueued, not run, not done"
    assert page.flags[DONE] == 1
    assert 0 < elapsed < 0.05, "the wait at the gate is not part of the time"
    assert bool((call.out == 2).all())


def test_the_host_waits_for_runtimes_with_streams_of_their_own(worker, page, call):
    from kernelbot_gpu_nvidia._gate import DONE, GO

    seen = []

    def queued():
        seen.append((call.entered, page.flags[DONE]))
        page.flags[GO] = 1

    assert run(worker, call, 1, queued=queued, host_gate=True) > 0
    assert seen == [(False, 0)]
    assert call.ran.query(), "done is said when all streams have ended"
    assert page.flags[DONE] == 1


@pytest.mark.parametrize("host_gate", [False, True])
def test_an_open_call_says_done_and_nothing_else(worker, page, call, host_gate):
    from kernelbot_gpu_nvidia._gate import DONE

    queued = []
    run(worker, call, 1, queued=lambda: queued.append(1), gate_open=True, host_gate=host_gate)
    assert not queued
    assert page.flags[DONE] == 1


def test_loops_give_times_and_leave_nothing_behind(worker, call):
    import torch

    from kernelbot_core import Loop

    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    for mode in Loop:
        assert 0 < worker.loop(call, mode) < 1
    assert torch.cuda.memory_reserved() <= before
    assert bool((call.out == 2).all())


def test_an_exception_leaves_nothing_at_the_gate(worker, page, call):
    from kernelbot_gpu_nvidia._gate import DONE, GO

    def fails():
        call()
        raise ValueError("mine") from KeyError("its cause")

    with pytest.raises(ValueError, match="mine") as caught:
        run(worker, fails, 1, queued=lambda: None)
    assert isinstance(caught.value.__cause__, KeyError)
    assert call.ran.query(), "what it had enqueued has ended"
    assert page.flags[DONE] == 0
    page.flags[GO] = 2
    assert run(worker, call, 2, queued=lambda: None) > 0
    assert page.flags[DONE] == 2


def test_what_is_unmapped_is_given_back(worker):
    import os

    import torch

    from kernelbot_core import SharedBuffer
    from kernelbot_gpu_nvidia._memory import Mapping

    nbytes = 256 << 20
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    before = torch.cuda.mem_get_info()[0]
    mapping, fd = Mapping.create(nbytes + SharedBuffer.TAIL, 0)
    tensor = worker.map(fd, nbytes, "bf16", (1 << 20, 128), writable=True)
    mapping.close()
    os.close(fd)
    assert tensor.dtype == torch.bfloat16
    assert before - torch.cuda.mem_get_info()[0] >= nbytes, "the worker's mapping keeps it"
    worker.unmap([tensor])
    assert before - torch.cuda.mem_get_info()[0] < 8 << 20
