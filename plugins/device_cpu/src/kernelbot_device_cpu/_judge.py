"""The judge's half: sealed memfd tensors, the judge's own clock, the gate is a message."""

from __future__ import annotations

import math
import mmap
import os
import secrets
import time
from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import DTYPES, JudgeDevice, Kind, Link, Output, SharedBuffer, sealed_memfd

FLUSH_BYTES = 32 << 20
POISON_BYTES = 1 << 16
LINE = 64
ONE_PIECE = 1 << 12
"""Bytes that are copied faster than anybody could write on behind the judge's back."""


class CpuBuffer(SharedBuffer):
    """One memfd mapped by judge and worker: data, then the tail."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.fd = sealed_memfd("kernelbot-buffer", nbytes + self.TAIL)
        self._map = mmap.mmap(self.fd, nbytes + self.TAIL)
        self.all: torch.Tensor = torch.frombuffer(self._map, dtype=torch.uint8)
        self.expected_tail: torch.Tensor = torch.empty(0)
        # The own copy goes here: memory that is already paged in, so that the copy and not the kernel's
        # page faults lie inside the window.
        self.private: torch.Tensor = torch.zeros(nbytes, dtype=torch.uint8)

    def tensor(self, dtype: str, shape: Sequence[int]) -> Any:
        flat = torch.frombuffer(self._map, dtype=torch.uint8, count=self.nbytes) if self.nbytes else self.all[:0]
        return flat.view(getattr(torch, DTYPES[dtype].torch)).view(*shape)

    def part(self, offset: int, nbytes: int) -> torch.Tensor:
        """Some bytes of the data."""
        return self.all[: self.nbytes][offset : offset + nbytes]

    def close(self) -> None:
        # The mapping goes with the last tensor that points into it; closing it under one would be a crash.
        self.all = self.expected_tail = self.private = torch.empty(0)
        os.close(self.fd)


class CpuJudge(JudgeDevice):
    """Everything in host memory; T ranks."""

    ranks_on = "T"
    max_sets = 2
    torch_device = "cpu"

    def __init__(self, index: int) -> None:  # noqa: ARG002 - there is one only
        self._flush = torch.zeros(FLUSH_BYTES // 8, dtype=torch.int64)
        self._poison = torch.Generator()
        self._done: dict[bytes, float] = {}

    def control_fd(self) -> int:
        return -1

    def allocate(self, nbytes: int) -> CpuBuffer:
        buffer = CpuBuffer(nbytes)
        self.poison(buffer, int.from_bytes(os.urandom(7), "little"))
        return buffer

    def poison(self, buffer: SharedBuffer, seed: int) -> None:
        assert isinstance(buffer, CpuBuffer)
        self._poison.manual_seed(seed)
        # A fresh random block, repeated: unpredictable to the submission, and cheap for large outputs.
        block = torch.randint(0, 256, (POISON_BYTES,), dtype=torch.uint8, generator=self._poison)
        whole = buffer.all.numel() // POISON_BYTES * POISON_BYTES
        buffer.all[:whole].view(-1, POISON_BYTES).copy_(block)
        buffer.all[whole:].copy_(block[: buffer.all.numel() - whole])
        buffer.expected_tail = buffer.all[buffer.nbytes :].clone()

    def tail_intact(self, buffer: SharedBuffer) -> bool:
        assert isinstance(buffer, CpuBuffer)
        return bool(torch.equal(buffer.all[buffer.nbytes :], buffer.expected_tail))

    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        assert isinstance(buffer, CpuBuffer)
        buffer.part(offset, master.nbytes).copy_(_bytes(master))

    def unchanged(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> bool:
        assert isinstance(buffer, CpuBuffer)
        return bool(torch.equal(_bytes(master), buffer.part(offset, master.nbytes)))

    def flush(self) -> None:
        self._flush.max()  # reading brings other lines in; writing would leave dirty ones to pay for

    def synchronize(self) -> None:
        """Host memory is always up to date."""

    def through_gate(
        self, link: Link, call_id: bytes, limit: float, outputs: Sequence[Output]
    ) -> tuple[float, list[Any]]:
        link.check_alive()  # a DONE that lies there before GO would end the window as soon as it begins
        opened = time.perf_counter_ns()
        link.send(Kind.GO, call_id=call_id)
        self.wait_done(link, call_id, limit)
        copies = self.snapshot(outputs)
        return (time.perf_counter_ns() - opened) * 1e-9, copies

    def wait_done(self, link: Link, call_id: bytes, limit: float) -> None:
        self._done[call_id] = link.expect(Kind.DONE, call_id, limit)[0]

    def collect(self, link: Link, call_id: bytes, limit: float) -> float:  # noqa: ARG002 - it came with DONE
        elapsed = self._done.pop(call_id)
        return elapsed if math.isfinite(elapsed) and elapsed > 0 else math.nan

    def snapshot(self, outputs: Sequence[Output]) -> list[Any]:
        copies = []
        for buffer, dtype, shape in outputs:
            assert isinstance(buffer, CpuBuffer)
            # From a place that nobody knows, round the end: who says done too early cannot write on ahead of the copy.
            start = secrets.randbelow(buffer.nbytes) & -LINE if buffer.nbytes > ONE_PIECE else 0
            for part in (slice(start, buffer.nbytes), slice(start)):
                buffer.private[part].copy_(buffer.all[part])
            copies.append(buffer.private.view(getattr(torch, DTYPES[dtype].torch)).view(*shape))
        return copies

    def clock(self) -> int:
        return time.perf_counter_ns()

    def copy_peak(self) -> float:
        count = 64 << 20
        source, target = torch.ones(count, dtype=torch.uint8), torch.empty(count, dtype=torch.uint8)
        best = math.inf
        for _ in range(7):
            began = time.perf_counter()
            target.copy_(source)
            best = min(best, time.perf_counter() - began)
        return 2 * count / best

    def environment(self) -> dict[str, Any]:
        return {
            "torch": str(torch.__version__),
            "threads": torch.get_num_threads(),
            "clock": "perf_counter_ns of the judge",
        }

    def close(self) -> None:
        """Nothing is held beyond the buffers."""


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().reshape(-1).view(torch.uint8)
