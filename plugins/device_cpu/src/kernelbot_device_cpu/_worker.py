"""The worker's half: map, wait for the message, call."""

from __future__ import annotations

import mmap
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kernelbot_core import DTYPES, Loop, SharedBuffer, WorkerDevice

CALLS = 20
LONGEST_LOOP_S = 0.25


class CpuWorker(WorkerDevice):
    """Calls run on the host, so the gate is a message and E is this process's own clock."""

    def __init__(self, index: int, control_fd: int) -> None:
        """Nothing to open."""

    def map(self, fd: int, nbytes: int, dtype: str, shape: Sequence[int], *, writable: bool) -> Any:  # noqa: ARG002 - see below
        # Inputs are writable too: a kernel that changes its input is told so, instead of dying of SIGSEGV.
        # With the tail: a kernel that writes a little too far is told so, instead of dying of SIGSEGV.
        mapping = mmap.mmap(fd, nbytes + SharedBuffer.TAIL)
        flat = torch.frombuffer(mapping, dtype=torch.uint8)[:nbytes]
        return flat.view(getattr(torch, DTYPES[dtype].torch)).view(*shape)

    def unmap(self, tensors: Sequence[Any]) -> None:
        """The mapping goes with the last tensor; the submission may hold one."""

    def run(
        self,
        call: Callable[[], object],
        *,
        number: int,  # noqa: ARG002 - for devices whose gate counts
        gate_open: bool,
        host_gate: bool,  # noqa: ARG002 - the host always waits here
        queued: Callable[[], None],
        wait_go: Callable[[], None],
        timed: bool = True,  # noqa: ARG002 - taking the time costs next to nothing here
    ) -> float:
        if not gate_open:
            queued()
            wait_go()
        began = time.perf_counter_ns()
        call()
        return max(time.perf_counter_ns() - began, 1) * 1e-9

    def null(self, seconds: float = 0.0) -> Callable[[], object]:
        if not seconds:
            return lambda: None

        def spin() -> None:
            ends = time.perf_counter() + seconds
            while time.perf_counter() < ends:
                pass

        return spin

    def loop(self, call: Callable[[], object], mode: Loop) -> float:
        """All modes are the same here: no device to wait for, and a flush by writing would be a device's, not ours."""
        times: list[float] = []
        ends = time.perf_counter() + (LONGEST_LOOP_S if mode is not Loop.SUSTAINED else 1.0)
        while len(times) < CALLS and (not times or time.perf_counter() < ends):
            began = time.perf_counter_ns()
            call()
            times.append((time.perf_counter_ns() - began) * 1e-9)
        return max(statistics.median(times), 1e-9)
