"""What becomes of the judge's stream when a call fails behind the gate; a device of two flags stands in for the GPU."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

pytest.importorskip("cuda.bindings", reason="the driver's bindings are not installed")
from kernelbot_gpu_nvidia import _gate, _window
from kernelbot_gpu_nvidia._gate import DONE, GO, JudgePage
from kernelbot_gpu_nvidia._window import Window

CALL, STREAM = 3, 77


class Device:
    """The judge's stream, and the page as the device sees it: another one than the host's once that is punched out."""

    def __init__(self):
        self.host = memoryview(bytearray(4096)).cast("I")
        self.pinned, self.awaited = self.host, None

    def wait(self, _stream, pointer, number, _how):
        self.awaited = (pointer // 4, number)
        return (_gate.cuda.CUresult.CUDA_SUCCESS,)

    def write(self, stream, pointer, number, _flags):
        if stream == _gate.STREAM and self.awaited is not None:
            pytest.fail("written on the stream that waits")
        self.pinned[pointer // 4] = number
        return (_gate.cuda.CUresult.CUDA_SUCCESS,)

    def idle(self):
        if self.awaited is None:
            return True
        flag, number = self.awaited
        return ctypes.c_int32(self.pinned[flag] - number).value >= 0


@pytest.fixture
def device(monkeypatch):
    made = Device()
    monkeypatch.setattr(_gate.cuda, "cuStreamWaitValue32", made.wait)
    monkeypatch.setattr(_gate.cuda, "cuStreamWriteValue32", made.write)
    cuda = SimpleNamespace(current_stream=lambda: SimpleNamespace(query=made.idle), _sleep=lambda _cycles: None)
    monkeypatch.setattr(_window, "torch", SimpleNamespace(cuda=cuda))
    return made


@pytest.fixture
def run(device):
    """``run(copies, wait)`` for one call."""
    window, page = Window.__new__(Window), JudgePage.__new__(JudgePage)
    event = SimpleNamespace(record=lambda: None, query=device.idle)
    window._start = window._gate = window._copied = event
    window._aside, window._started = SimpleNamespace(cuda_stream=STREAM), False
    page.flags, page._pointer = device.host, 0
    return lambda copies, wait: window.run(page, CALL, copies, wait)


def gives_up(over):
    assert not over()
    raise TimeoutError


def test_a_call_that_is_done_hands_its_copies_over(device, run):
    def wait(over):
        assert not over()
        assert device.pinned[GO] == CALL
        device.pinned[DONE] = CALL
        assert over()

    assert run(lambda: ["copy"], wait) == ["copy"]


def test_copies_that_cannot_be_enqueued_leave_no_stream_waiting(device, run):
    def copies():
        assert not device.idle()
        raise MemoryError

    with pytest.raises(MemoryError):
        run(copies, gives_up)
    assert device.idle()


@pytest.mark.parametrize("flag", [0, CALL - 1, CALL + (1 << 31), (1 << 32) - 1])
def test_a_limit_that_is_over_leaves_no_stream_waiting_whatever_the_flag_says(device, run, flag):
    device.pinned[DONE] = flag
    with pytest.raises(TimeoutError):
        run(list, gives_up)
    assert device.idle()


def test_a_page_that_was_punched_out_leaves_no_stream_waiting(device, run):
    def wait(over):
        device.pinned = memoryview(bytearray(4096)).cast("I")  # what the device has pinned; the host's is a new one
        gives_up(over)

    with pytest.raises(TimeoutError):
        run(list, wait)
    assert device.idle()
