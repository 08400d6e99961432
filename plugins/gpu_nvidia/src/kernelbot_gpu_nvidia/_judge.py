"""The judge's half: its own context, private masters, the gate in a page of host memory, own copies of outputs."""

from __future__ import annotations

import importlib.metadata
import mmap
import os
import time
from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import DTYPES, JudgeDevice, Link, SharedBuffer, sealed_memfd
from kernelbot_gpu_nvidia._memory import Mapping, ordinal

PAGE = 4096
GO, DONE = 0, 16
"""Places of the two flags in the page, in 32-bit words; each has a cache line of its own."""
SPINS = 2000
"""Looks at the flag between two looks at the socket: about 0.1 ms."""
KEEP = 0.25
EVENT_TICK_S = 32e-9


class NvidiaBuffer(SharedBuffer):
    """One allocation: data, then the tail."""

    def __init__(self, nbytes: int, device: int) -> None:
        self.nbytes = nbytes
        self._mapping, self.fd = Mapping.create(nbytes + self.TAIL, device)
        self.all = self._mapping.bytes(nbytes + self.TAIL)
        self.expected_tail = self.all[nbytes:].clone()

    def tensor(self, dtype: str, shape: Sequence[int]) -> Any:
        return self.all[: self.nbytes].view(getattr(torch, DTYPES[dtype].torch)).view(*shape)

    def close(self) -> None:
        torch.cuda.synchronize()
        del self.all, self.expected_tail
        self._mapping.close()
        os.close(self.fd)


class NvidiaJudge(JudgeDevice):
    """E ranks; T bounds it."""

    ranks_on = "E"
    watchdog = True

    def __init__(self, index: int) -> None:
        self._device = ordinal(index)
        self.torch_device = f"cuda:{self._device}"
        torch.cuda.set_device(self._device)
        torch.cuda.init()
        self._properties = torch.cuda.get_device_properties(self._device)
        # Twice the L2, read and not written: dirty lines would be paid for by the kernel (10-17 % of a copy).
        self._flush = torch.zeros(2 * self._properties.L2_cache_size // 4, device=self.torch_device)
        self._random = torch.Generator(device=self.torch_device)
        self._pages: dict[int, tuple[mmap.mmap, memoryview]] = {}
        self.keep_bytes = int(KEEP * self.memory_free())

    def control_fd(self) -> int:
        fd = sealed_memfd("kernelbot-gate", PAGE)
        page = mmap.mmap(fd, PAGE)
        self._pages[fd] = (page, memoryview(page).cast("I"))
        return fd

    def allocate(self, nbytes: int) -> NvidiaBuffer:
        buffer = NvidiaBuffer(nbytes, self._device)
        self.poison(buffer, int.from_bytes(os.urandom(7), "little"))
        return buffer

    def poison(self, buffer: SharedBuffer, seed: int) -> None:
        assert isinstance(buffer, NvidiaBuffer)
        self._random.manual_seed(seed)
        whole = buffer.all.numel() // 8 * 8
        buffer.all[:whole].view(torch.int64).random_(generator=self._random)
        buffer.all[whole:].random_(generator=self._random)
        buffer.expected_tail.copy_(buffer.all[buffer.nbytes :])

    def tail_intact(self, buffer: SharedBuffer) -> bool:
        assert isinstance(buffer, NvidiaBuffer)
        return bool(torch.equal(buffer.all[buffer.nbytes :], buffer.expected_tail))

    def reveal(self, masters: Sequence[Any], buffers: Sequence[SharedBuffer]) -> None:
        for master, buffer in zip(masters, buffers, strict=True):
            assert isinstance(buffer, NvidiaBuffer)
            buffer.all[: buffer.nbytes].copy_(_bytes(master))

    def unchanged(self, master: Any, buffer: SharedBuffer) -> bool:
        assert isinstance(buffer, NvidiaBuffer)
        return bool(torch.equal(_bytes(master), buffer.all[: buffer.nbytes]))

    def flush(self) -> None:
        self._flush.max()

    def synchronize(self) -> None:
        torch.cuda.synchronize()

    def open_gate(self, link: Link, call_id: bytes) -> int:  # noqa: ARG002 - the flag counts the calls
        flags = self._pages[link.control][1]
        opened = time.perf_counter_ns()
        flags[GO] = link.calls
        return opened

    def wait_done(self, link: Link, call_id: bytes, limit: float) -> None:
        flags, number = self._pages[link.control][1], link.calls
        deadline = time.monotonic() + limit
        while True:
            for _ in range(SPINS):
                if flags[DONE] == number:
                    return
            if link.peek() and flags[DONE] != number:
                link.expect_failure(call_id)
            if time.monotonic() > deadline:
                link.fail("timeout", f"no answer within {limit:g} s")

    def collect(self, link: Link, call_id: bytes, limit: float) -> float:
        from kernelbot_core import Kind

        return link.expect(Kind.DONE, call_id, limit)[0]

    def snapshot(
        self, buffers: Sequence[SharedBuffer], dtypes: Sequence[str], shapes: Sequence[Sequence[int]]
    ) -> list[Any]:
        copies = [b.tensor(d, s).clone() for b, d, s in zip(buffers, dtypes, shapes, strict=True)]
        torch.cuda.synchronize()
        return copies

    def clock(self) -> int:
        return time.perf_counter_ns()

    def clock_tick(self) -> float:
        return EVENT_TICK_S

    def copy_peak(self) -> float:
        count = min(1 << 30, self.memory_free() // 8)
        source = torch.empty(count, dtype=torch.uint8, device=self.torch_device)
        target = torch.empty_like(source)
        best = float("inf")
        for _ in range(10):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            target.copy_(source)
            end.record()
            torch.cuda.synchronize()
            best = min(best, start.elapsed_time(end) * 1e-3)
        return 2 * count / best

    def memory_free(self) -> int:
        return int(torch.cuda.mem_get_info(self._device)[0])

    def environment(self) -> dict[str, Any]:
        known = {
            "torch": str(torch.__version__),
            "cuda": torch.version.cuda,
            "l2_bytes": self._properties.L2_cache_size,
        }
        known["multiprocessors"] = self._properties.multi_processor_count
        known["judge_peak_bytes"] = torch.cuda.max_memory_allocated(self._device)
        for name in ("triton", "cupy-cuda13x", "cuda-bindings"):
            try:
                known[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
        return known

    def close(self) -> None:
        for fd, (page, flags) in self._pages.items():
            flags.release()
            page.close()
            os.close(fd)
        self._pages = {}


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().reshape(-1).view(torch.uint8)
