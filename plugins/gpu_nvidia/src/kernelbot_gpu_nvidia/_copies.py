"""The judge's own copies of outputs, in memory that no other process maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import Output
from kernelbot_gpu_nvidia._judge_buffer import NvidiaBuffer, as_dtype


class Copies:
    """Every copy of an output of a cell goes to the same place, whoever wrote it.

    How long a copy takes depends on where it goes: one of 272 MiB took from 425 to 442 us on an H200, in turns with
    the block of memory that it was given. Whoever keeps a copy moves it, once T has ended.
    """

    def __init__(self) -> None:
        self._places: list[torch.Tensor] = []

    def reserve(self, outputs: Sequence[Output]) -> None:
        """Have memory for the next copies: an allocation must not fall into the window."""
        sizes = [output.buffer.nbytes for output in outputs]
        if sizes != [place.numel() for place in self._places]:
            self.drop()  # before more is asked for
            self._places = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in sizes]

    def enqueue(self, outputs: Sequence[Output]) -> list[Any]:
        """The copies; not complete yet, and overwritten by the next ones."""
        found = []
        for place, (buffer, dtype, shape) in zip(self._places, outputs, strict=True):
            assert isinstance(buffer, NvidiaBuffer)
            found.append(as_dtype(place.copy_(buffer.data), dtype, shape))
        return found

    def drop(self) -> None:
        """Give the memory back."""
        self._places = []
