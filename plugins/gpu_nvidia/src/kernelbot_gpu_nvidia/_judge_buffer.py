"""The judge's view of one shared buffer: its data and a poisoned tail."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import DTYPES, SharedBuffer
from kernelbot_gpu_nvidia._memory import Mapping

CHUNK = 1 << 29
"""Bytes compared at once; the comparison needs an eighth of that."""


class NvidiaBuffer(SharedBuffer):
    """One allocation: ``nbytes`` of data, then the tail."""

    def __init__(self, nbytes: int, device: int) -> None:
        self.nbytes = nbytes
        self._mapping, self.fd = Mapping.create(nbytes + self.TAIL, device)
        self._all = self._mapping.bytes(nbytes + self.TAIL)
        self._tail = self._all[nbytes:].clone()
        self._open = True

    @property
    def data(self) -> torch.Tensor:
        """The data as bytes."""
        return self._all[: self.nbytes]

    def tensor(self, dtype: str, shape: Sequence[int]) -> Any:
        return as_dtype(self.data, dtype, shape)

    def fill(self, generator: torch.Generator) -> None:
        """Overwrite data and tail with pseudo-random bits: one pass of a counter-based generator."""
        whole = self._all.numel() // 8 * 8
        self._all[:whole].view(torch.int64).random_(-(2**63), None, generator=generator)
        self._all[whole:].random_(0, 256, generator=generator)
        self._tail.copy_(self._all[self.nbytes :])

    def tail_intact(self) -> bool:
        """Whether the tail is what :meth:`fill` wrote."""
        return bool(torch.equal(self._all[self.nbytes :], self._tail))

    def close(self) -> None:
        if not self._open:
            return
        self._open = False
        torch.cuda.synchronize()
        del self._all, self._tail
        self._mapping.close()
        os.close(self.fd)


def as_dtype(flat: torch.Tensor, dtype: str, shape: Sequence[int]) -> torch.Tensor:
    """Bytes seen as a contiguous tensor."""
    return flat.view(getattr(torch, DTYPES[dtype].torch)).view(tuple(shape))


def as_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor's bytes in row-major order, without a copy when it is contiguous."""
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def same_bytes(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two flat uint8 tensors are equal, compared as words where they allow it."""
    if one.numel() != other.numel():
        return False
    word = torch.uint8 if (one.storage_offset() | other.storage_offset() | one.numel()) % 8 else torch.int64
    for start in range(0, one.numel(), CHUNK):
        part = slice(start, start + CHUNK)
        if not torch.equal(one[part].view(word), other[part].view(word)):
            return False
    return True
