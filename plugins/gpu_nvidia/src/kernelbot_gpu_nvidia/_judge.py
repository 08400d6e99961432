"""The judge's half: its own context, private masters, the gate in a page of host memory, own copies of outputs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kernelbot_core import InfrastructureError, JudgeDevice, Kind, Link, Output, SharedBuffer
from kernelbot_gpu_nvidia import _judge_facts
from kernelbot_gpu_nvidia._driver import CudaError, ordinal, require, spin_on_waits
from kernelbot_gpu_nvidia._gate import DONE, JudgePage
from kernelbot_gpu_nvidia._judge_buffer import NvidiaBuffer, as_bytes, same_bytes
from kernelbot_gpu_nvidia._judge_copies import Copies
from kernelbot_gpu_nvidia._window import Window

LOOKS = 200
"""At the device between two looks at the socket: well below a millisecond."""
KEEP = 0.25
"""Share of the free memory that may hold copies until the block is over."""
WRITE_BYTES = 256 << 20
"""What triton.testing.do_bench clears before each call."""
EVENT_TICK_S = 32e-9
"""Smallest difference seen between two event times."""


class NvidiaJudge(JudgeDevice):
    """E, the worker's events, ranks; T, the judge's own events, bounds it.

    Reveal, flush, gate, the wait for the worker and the copies are enqueued together: from the gate to the copies no
    host has to do anything, of whose latency T would be made up otherwise.
    """

    ranks_on = "E"
    watchdog = True
    shares = True
    context_bytes = 640 << 20

    def __init__(self, index: int) -> None:
        self._device = ordinal(index)
        self.torch_device = f"cuda:{self._device}"
        spin_on_waits(self._device)
        torch.cuda.set_device(self._device)
        self._properties = torch.cuda.get_device_properties(self._device)
        # Twice the L2, read and not written: the kernel would pay for dirty lines (10-17 % of a copy).
        self._cold = torch.zeros(2 * self._properties.L2_cache_size // 4, device=self.torch_device)
        self._dirty: torch.Tensor | None = None
        require(self._device)
        self._random = torch.Generator(device=self.torch_device)
        self._pages: dict[int, JudgePage] = {}
        self.keep_bytes = int(KEEP * self.memory_free())
        self._window, self._copies = Window(), Copies()

    def control_fd(self) -> int:
        page = JudgePage()
        self._pages[page.fd] = page
        return page.fd

    def allocate(self, nbytes: int) -> NvidiaBuffer:
        """Make a shared buffer. Raises InfrastructureError when the device has no room for it."""
        try:
            buffer = NvidiaBuffer(nbytes, self._device)
        except CudaError:
            self._copies.drop()  # as large as the largest cell so far
            torch.cuda.empty_cache()  # what torch keeps for later is no use to the driver
            buffer = self._allocate_or_say(nbytes)
        self._random.manual_seed(int.from_bytes(os.urandom(7), "little"))
        buffer.fill(self._random)
        return buffer

    def _allocate_or_say(self, nbytes: int) -> NvidiaBuffer:
        try:
            return NvidiaBuffer(nbytes, self._device)
        except CudaError as exc:
            free = self.memory_free() / 2**30
            raise InfrastructureError(
                f"no room for a buffer of {nbytes / 2**30:.2f} GiB, {free:.2f} GiB are free: {exc}",
                "choose a smaller size, or see who else uses the GPU",
            ) from None

    def poison(self, buffer: SharedBuffer, seed: int) -> None:
        assert isinstance(buffer, NvidiaBuffer)
        self._random.manual_seed(seed)
        buffer.fill(self._random)

    def tail_intact(self, buffer: SharedBuffer) -> bool:
        assert isinstance(buffer, NvidiaBuffer)
        return buffer.tail_intact()

    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        assert isinstance(buffer, NvidiaBuffer)
        self._window.start()
        buffer.data[offset : offset + master.nbytes].copy_(as_bytes(master))

    def unchanged(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> bool:
        assert isinstance(buffer, NvidiaBuffer)
        return same_bytes(as_bytes(master), buffer.data[offset : offset + master.nbytes])

    def flush(self) -> None:
        self._window.start()
        if self.flush_by_writing:
            self._written().zero_()
        else:
            self._cold.max()

    def _written(self) -> torch.Tensor:
        if self._dirty is None:
            self._dirty = torch.empty(WRITE_BYTES // 4, dtype=torch.int32, device=self.torch_device)
        return self._dirty

    def synchronize(self) -> None:
        torch.cuda.synchronize()
        self._window.abandon()

    def through_gate(
        self, link: Link, call_id: bytes, limit: float, outputs: Sequence[Output]
    ) -> tuple[float, list[Any]]:
        if self._said_done(link):
            link.fail("protocol", "the submission's process said done before the gate was open")
        self._copies.reserve(outputs)
        copies = self._window.run(
            self._pages[link.control],
            link.calls,
            lambda: self._copies.enqueue(outputs),
            lambda over: self._wait(over, link, call_id, limit),
        )
        self.revealed = self._window.revealed
        return self._window.taken, copies

    def wait_done(self, link: Link, call_id: bytes, limit: float) -> None:
        self._wait(lambda: self._said_done(link), link, call_id, limit)

    def _said_done(self, link: Link) -> bool:
        return bool(self._pages[link.control].flags[DONE] >= link.calls)

    def _wait(self, over: Callable[[], bool], link: Link, call_id: bytes, limit: float) -> None:
        deadline = time.monotonic() + limit
        while True:
            for _ in range(LOOKS):
                if over():
                    return
            if link.peek() and not self._said_done(link):
                link.expect_failure(call_id)
            if time.monotonic() > deadline:
                link.fail("timeout", f"no answer within {limit:g} s")

    def collect(self, link: Link, call_id: bytes, limit: float) -> float:
        return link.expect(Kind.DONE, call_id, limit)[0]

    def snapshot(self, outputs: Sequence[Output]) -> list[Any]:
        self._copies.reserve(outputs)
        copies = self._copies.enqueue(outputs)
        torch.cuda.synchronize()
        return copies

    def clock(self) -> int:
        return time.perf_counter_ns()

    def clock_tick(self) -> float:
        return EVENT_TICK_S

    def copy_peak(self) -> float:
        return _judge_facts.copy_peak(self._device, self.memory_free())

    def memory_free(self) -> int:
        free, _ = torch.cuda.mem_get_info(self._device)
        return int(free + torch.cuda.memory_reserved(self._device) - torch.cuda.memory_allocated(self._device))

    def environment(self) -> dict[str, Any]:
        found = _judge_facts.environment(self._device, self._properties)
        return found | {"gated_calls": self._window.calls, "gated_calls_host_behind": self._window.behind}

    def close(self) -> None:
        torch.cuda.synchronize()
        for page in self._pages.values():
            page.close()
        self._pages = {}
        self._cold, self._dirty = torch.empty(0), None
        self._copies.drop()
        torch.cuda.empty_cache()
