"""The judge's own copies of outputs, in memory that no other process maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from kernelbot_core import Output
from kernelbot_gpu_nvidia._judge_buffer import NvidiaBuffer, as_dtype

SAME_PLACE = 256 << 20
"""Bytes up to which an output is always copied to the same place first."""


class Copies:
    """Every copy goes to the same place, whoever wrote the outputs, and is moved from there once T has ended.

    How long a copy takes depends on where it goes. On an H200 the baseline's, which went to one block of memory, and
    the submission's, which went to new ones, took times that differed by 0.6 us, in all cells of 4 MB and more.
    """

    def __init__(self) -> None:
        self._places: list[torch.Tensor] = []

    def expect(self, buffer: NvidiaBuffer) -> None:
        """Have memory for a copy that is too large to be moved."""
        if buffer.nbytes > SAME_PLACE:
            buffer.reserve_private()

    def reserve(self, outputs: Sequence[Output]) -> None:
        """Have memory for the next copies: an allocation must not fall into the window."""
        sizes = [output.buffer.nbytes if output.buffer.nbytes <= SAME_PLACE else 0 for output in outputs]
        if sizes != [place.numel() for place in self._places]:
            self._places = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in sizes]

    def enqueue(self, outputs: Sequence[Output]) -> list[Any]:
        """The copies; not complete yet, and overwritten by the next ones unless they are moved."""
        found = []
        for place, (buffer, dtype, shape) in zip(self._places, outputs, strict=True):
            assert isinstance(buffer, NvidiaBuffer)
            copy = place.copy_(buffer.data) if place.numel() == buffer.nbytes else buffer.private_copy()
            found.append(as_dtype(copy, dtype, shape))
        return found

    def moved(self, copies: Sequence[torch.Tensor]) -> list[Any]:
        """The copies in memory of their own. A large one is there already: for two of it there may be no room."""
        return [copy.clone() if copy.nbytes <= SAME_PLACE else copy for copy in copies]

    def drop(self) -> None:
        """Give the memory back."""
        self._places = []
