"""The worker's half: everything on the legacy default stream, behind a wait that the judge's flag ends."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kernelbot_core import DTYPES, Loop, SharedBuffer, WorkerDevice
from kernelbot_gpu_nvidia._driver import explained, ordinal, sleep_on_waits
from kernelbot_gpu_nvidia._gate import DONE, GO, WorkerPage
from kernelbot_gpu_nvidia._memory import Mapping
from kernelbot_gpu_nvidia._worker_loops import measure

SHORTEST = 1e-9


class NvidiaWorker(WorkerDevice):
    """Queues calls behind the gate and times them by events.

    A stream that does not wait for the legacy default stream (made with cudaStreamNonBlocking, as torch's own side
    streams are) is held by nothing unless the call joins it to the default stream with events: what it does early it
    does on stale inputs, and what it does late the judge's copy lacks.
    """

    def __init__(self, index: int, control_fd: int) -> None:
        self._device = ordinal(index)
        sleep_on_waits(self._device)
        torch.cuda.set_device(self._device)
        torch.zeros(1, device=f"cuda:{self._device}")  # makes the context and loads a first kernel
        self._stream = torch.cuda.default_stream(self._device)
        self._aside = torch.cuda.Stream(self._device)  # does not wait for the default stream
        self._start = torch.cuda.Event(enable_timing=True)
        self._end = torch.cuda.Event(enable_timing=True)
        self._gate = WorkerPage(control_fd)
        self._mappings: list[Mapping] = []
        # Whatever is set up on first use is set up now: behind the gate it might wait for the device.
        for timed in (True, False):
            self._enqueue(lambda: None, 0, gated=True, timed=timed)
            self._elapsed(timed=timed)

    def map(self, fd: int, nbytes: int, dtype: str, shape: Sequence[int], *, writable: bool) -> Any:
        mapping = Mapping.open(fd, nbytes + SharedBuffer.TAIL, self._device, writable=writable)
        self._mappings.append(mapping)
        return mapping.bytes(nbytes).view(getattr(torch, DTYPES[dtype].torch)).view(tuple(shape))

    def unmap(self, tensors: Sequence[Any]) -> None:
        torch.cuda.synchronize()
        addresses = {tensor.data_ptr() for tensor in tensors}
        for mapping in [one for one in self._mappings if one.pointer in addresses]:
            self._mappings.remove(mapping)
            mapping.close()
        torch.cuda.empty_cache()  # what this process keeps for later is missing when the next cell needs buffers

    def run(
        self,
        call: Callable[[], object],
        *,
        number: int,
        gate_open: bool,
        host_gate: bool,
        queued: Callable[[], None],
        wait_go: Callable[[], None],  # noqa: ARG002 - the gate is a flag in memory here
        timed: bool = True,
    ) -> float:
        try:
            if host_gate:
                return self._on_host(call, number, None if gate_open else queued)
            self._enqueue(call, number, gated=not gate_open, timed=timed)
            if not gate_open:
                queued()
            return self._elapsed(timed=timed)
        except BaseException as exc:  # foreign code; the judge waits at the gate whatever was raised
            self._settle(number)
            better = explained(exc)
            if better is exc:
                raise
            raise better from None

    def null(self, seconds: float = 0.0) -> Callable[[], object]:
        if not seconds:
            return lambda: None
        cycles = round(seconds * self._clock_hz)
        return lambda: torch.cuda._sleep(cycles)

    @functools.cached_property
    def _clock_hz(self) -> float:
        """Cycles per second of the device's clock, about: it moves with the load."""
        cycles, times = 2_000_000, []
        for _ in range(3):
            self._start.record(self._stream)
            torch.cuda._sleep(cycles)
            self._end.record(self._stream)
            times.append(self._elapsed())
        return cycles / min(times)

    def loop(self, call: Callable[[], object], mode: Loop) -> float:
        torch.cuda.set_stream(self._stream)
        call()
        torch.cuda.synchronize(self._device)
        return max(measure(call, mode, self._device), SHORTEST)

    def _enqueue(self, call: Callable[[], object], number: int, *, gated: bool, timed: bool = True) -> None:
        """Everything of one call, on the one stream: an earlier call may have made another the current one.

        Work on a stream of its own overlaps with the events and with the flag. Where nobody times there are no events,
        and the flag is raised beside the work, by another stream: the judge's stream is ready from then on, and runs
        when the device has nothing left to do for this process, which leaves nothing to overlap with.
        """
        torch.cuda.set_stream(self._stream)
        if gated:
            self._gate.enqueue_wait(GO, number)
        if timed:
            self._start.record(self._stream)
        call()
        if timed:
            self._end.record(self._stream)
        if timed:
            self._gate.enqueue_write(DONE, number)
            return
        self._gate.enqueue_wait(GO, number, self._aside.cuda_stream)
        self._gate.enqueue_write(DONE, number, self._aside.cuda_stream)

    def _elapsed(self, *, timed: bool = True) -> float:
        torch.cuda.synchronize(self._device)
        if not timed:
            return SHORTEST
        return max(float(self._start.elapsed_time(self._end)) * 1e-3, SHORTEST)

    def _on_host(self, call: Callable[[], object], number: int, queued: Callable[[], None] | None) -> float:
        """For runtimes with streams of their own: the host waits, and the end is the end of all streams."""
        if queued is not None:
            queued()
            self._gate.wait(number)
        began = time.perf_counter_ns()
        call()
        torch.cuda.synchronize(self._device)
        elapsed = (time.perf_counter_ns() - began) * 1e-9
        self._gate.done(number)
        return max(elapsed, SHORTEST)

    def _settle(self, number: int) -> None:
        """After an exception: nothing of this call may run on into the next one."""
        self._gate.release(GO, number)
        with contextlib.suppress(RuntimeError):  # the exception that is on its way says more
            torch.cuda.synchronize(self._device)
