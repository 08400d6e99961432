"""Inputs of one call: kept when small; when large, drawn again block by block whenever they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kernelbot_core.interfaces.device import JudgeDevice, SharedBuffer
from kernelbot_core.judge.blocks import Rows, block_seed

Make = Callable[[int, int | None], list[Any]]
"""(seed, rows or None for all) -> tensors of the inputs, contiguous, in private memory."""


class Writer(Protocol):
    """Where inputs go: a device, or something between that disguises them."""

    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        """Copy private bytes into a shared buffer, ``offset`` bytes from its start."""


@dataclass(frozen=True)
class Block:
    """A part of a call that stands for itself."""

    start: int
    stop: int | None
    """Rows along the separable dimension; None for the whole call."""
    tensors: list[Any]
    """All inputs: those rows of the ones that have the dimension, the others whole."""

    @property
    def rows(self) -> slice:
        """Its part of an output."""
        return slice(self.start, self.stop)


class Draw:
    """What one call is given. Nobody else holds it: not the submission, not another call.

    :param make: Draws tensors from a seed.
    :param seed: Of the call.
    :param rows: The blocks; empty when the call is one, which is then drawn now and kept.
    :param divided: For every input, whether it has the separable dimension.
    """

    def __init__(self, make: Make, seed: int, rows: Sequence[Rows] = (), divided: Sequence[bool] = ()) -> None:
        self._make, self._seed, self._rows, self._divided = make, seed, rows, divided
        self._kept: list[Any] = [] if rows else make(seed, None)
        self._common: list[Any] | None = None

    @classmethod
    def given(cls, tensors: Sequence[Any]) -> Draw:
        """A draw of tensors that somebody else has made."""
        return cls(lambda _seed, _rows: list(tensors), 0)

    @property
    def kept(self) -> bool:
        """Whether writing it is a copy and nothing else; a large one is drawn again meanwhile, at the host's pace."""
        return not self._rows

    @property
    def nbytes(self) -> int:
        """Bytes that are held as long as the draw is."""
        return sum(tensor.nbytes for tensor in (*self._kept, *(self._common or ())))

    def blocks(self) -> Iterator[Block]:
        """Every block, the same ones each time; at most one that is not kept lives, if the caller lets go of it."""
        if not self._rows:
            yield Block(0, None, self._kept)
        for number, start, stop in self._rows:
            yield Block(start, stop, self._again(number, stop - start))

    def tensors(self) -> list[Any]:
        """All inputs, whole."""
        import torch

        if not self._rows:
            return self._kept
        parts = zip(*(block.tensors for block in self.blocks()), strict=True)
        return [torch.cat(part) if split else part[0] for part, split in zip(parts, self._divided, strict=True)]

    def write_to(self, writer: Writer, buffers: Sequence[SharedBuffer]) -> None:
        """Put the inputs into shared buffers."""
        for block in self.blocks():
            for master, buffer, offset in self._places(block, buffers):
                writer.reveal(master, buffer, offset)

    def unchanged(self, device: JudgeDevice, buffers: Sequence[SharedBuffer]) -> bool:
        """Whether shared buffers still hold the inputs, bit for bit."""
        return all(
            device.unchanged(master, buffer, offset)
            for block in self.blocks()
            for master, buffer, offset in self._places(block, buffers)
        )

    def _places(self, block: Block, buffers: Sequence[SharedBuffer]) -> Iterator[tuple[Any, SharedBuffer, int]]:
        """What of a block goes where, with the offset in bytes; what all blocks share comes with the first."""
        for place, (master, buffer) in enumerate(zip(block.tensors, buffers, strict=True)):
            if block.stop is None or not self._divided[place]:
                if block.start == 0:
                    yield master, buffer, 0
            else:
                yield master, buffer, block.start * (master.nbytes // (block.stop - block.start))

    def _again(self, number: int, rows: int) -> list[Any]:
        drawn = self._make(block_seed(self._seed, number), rows)
        if all(self._divided):
            return drawn
        if self._common is None:  # the walk always begins with block 0
            self._common = [one for one, split in zip(drawn, self._divided, strict=True) if not split]
        common = iter(self._common)
        return [one if split else next(common) for one, split in zip(drawn, self._divided, strict=True)]
