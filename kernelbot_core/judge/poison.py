"""What the outputs held before a call, so that an element which nobody wrote is called that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kernelbot_core.interfaces.device import JudgeDevice, Output

BY_CHANCE = 1
"""Bytes of an element that a kernel may well have written just as they were: one time in 256."""


@dataclass(frozen=True)
class Poison:
    """The seeds of one call's poison. The bytes are made again when they are asked for, and not kept."""

    device: JudgeDevice
    outputs: Sequence[Output]
    seeds: Sequence[int]

    @classmethod
    def fresh(cls, device: JudgeDevice, outputs: Sequence[Output]) -> Poison:
        """Poison the outputs of the next call."""
        made = cls(device, outputs, [int.from_bytes(os.urandom(7), "little") for _ in outputs])
        for output, seed in zip(outputs, made.seeds, strict=True):
            device.poison(output.buffer, seed)
        return made

    def still_at(self, number: int, index: Sequence[int], copy: Any) -> bool:
        """Whether an element is as it was before the call. Poisons the buffer again, so only once the call is over.

        :param number: Of the output.
        :param copy: The judge's own copy of it.
        """
        found = _element(copy, index)
        if found.numel() <= BY_CHANCE:
            return False
        buffer, dtype, shape = self.outputs[number]
        try:
            self.device.poison(buffer, self.seeds[number])
        except (RuntimeError, AttributeError, ValueError):  # no memory for it, or no buffer any more: told without this
            return False
        return bool((_element(buffer.tensor(dtype, shape), index) == found).all())


def _element(tensor: Any, index: Sequence[int]) -> Any:
    """Bytes of one element."""
    import torch

    return tensor[tuple(index)].reshape(1).view(torch.uint8)
