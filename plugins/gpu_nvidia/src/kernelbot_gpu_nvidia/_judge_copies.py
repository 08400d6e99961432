"""The judge's own copies of outputs, in memory that no other process maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import Output
from kernelbot_gpu_nvidia._judge_buffer import NvidiaBuffer, as_dtype

ALIGN = 512
"""Bytes: where torch's own allocations begin."""


class Copies:
    """Every copy goes to one block of memory, whoever wrote the outputs and whenever.

    How long a copy takes depends on where it goes: one of 272 MiB took from 425 to 442 us on an H200, in turns with
    the block that it was given. Whoever keeps a copy moves it, once T has ended. The block grows with the largest cell
    and is not given back before the end: cells that are timed have been prepared once before anything counts.
    """

    def __init__(self) -> None:
        self._block: torch.Tensor | None = None

    def reserve(self, outputs: Sequence[Output]) -> None:
        """Have memory for the next copies: an allocation must not fall into the window."""
        size = sum(_aligned(output.buffer.nbytes) for output in outputs)
        if self._block is None or self._block.numel() < size:
            self._block = None  # before more is asked for
            self._block = torch.empty(size, dtype=torch.uint8, device="cuda")

    def enqueue(self, outputs: Sequence[Output]) -> list[Any]:
        """The copies; not complete yet, and overwritten by the next ones."""
        assert self._block is not None
        found, start = [], 0
        for buffer, dtype, shape in outputs:
            assert isinstance(buffer, NvidiaBuffer)
            place = self._block[start : start + buffer.nbytes]
            found.append(as_dtype(place.copy_(buffer.data), dtype, shape))
            start += _aligned(buffer.nbytes)
        return found

    def drop(self) -> None:
        """Give the memory back."""
        self._block = None


def _aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGN) * ALIGN
