"""The inputs are revealed with a few wrong elements, which are put right as the last thing before the gate opens."""

from __future__ import annotations

import os
from typing import Any

from kernelbot_core.interfaces.device import JudgeDevice, SharedBuffer
from kernelbot_core.judge.blocks import block_seed

MOST = 64
"""Wrong elements of one input (of each block of a large one)."""
SPARSE = 64
"""At most one element in so many, so that the correction warms next to nothing of a small input."""


class Decoys:
    """Stands between a draw and the device. Whatever is computed before :meth:`correct` is computed on wrong inputs.

    Pairs of elements of one input change places: no value is there more often than it should be, so that a search for
    what occurs twice finds nothing. Places are drawn from ``os.urandom`` and not from the seed of the call, which is
    public outside ranked mode.
    """

    def __init__(self, device: JudgeDevice) -> None:
        import torch

        self._device = device
        self._random = torch.Generator(device=device.torch_device)
        self._random.manual_seed(block_seed(int.from_bytes(os.urandom(8), "little"), 0))
        self._pending: dict[int, tuple[SharedBuffer, list[Any], list[Any]]] = {}

    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        """Copy the master, except for the decoys. The master is the same afterwards; its copy never was."""
        import torch

        words = as_words(master)
        few = min(MOST, max(words.numel() // SPARSE, 1)) if words.numel() > 1 else 0
        if not few:
            self._device.reveal(master, buffer, offset)
            return
        pairs = (few + 1) // 2
        places = torch.randint(words.numel(), (2 * pairs,), generator=self._random, device=words.device)
        true = words.take(places)
        words.scatter_(0, places, true.roll(pairs))  # a place drawn twice may get either value: the true one follows
        self._device.reveal(master, buffer, offset)
        words.scatter_(0, places, true)
        first = places + offset // words.element_size() if offset else places
        _, where, values = self._pending.setdefault(id(buffer), (buffer, [], []))
        where.append(first)
        values.append(true)

    def correct(self) -> None:
        """Put the true values in place: one small kernel for each input."""
        import torch

        pending, self._pending = self._pending, {}
        for buffer, where, values in pending.values():
            one = len(where) == 1
            self._device.correct(buffer, where[0] if one else torch.cat(where), values[0] if one else torch.cat(values))


def as_words(tensor: Any) -> Any:
    """The elements of a contiguous tensor as integers of their size: a copy of such is exact for every dtype."""
    import torch

    sizes = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return tensor.view(-1).view(sizes[tensor.element_size()])
