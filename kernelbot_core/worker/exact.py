"""Calls on copies whose allocations end where the tensors end, for a memory checker.

The shared buffers are larger than the tensors in them (mappings have a granularity, and the judge guards their
tails), so an access that is one element too far would go unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def on_copies(call: Callable[[Sequence[Any]], object], tensors: Sequence[Any], inputs: int) -> None:
    """Copy, call, and copy the outputs back.

    :param call: Takes the tensors, inputs first.
    :param inputs: How many of them are inputs.
    """
    copies = [tensor.clone() for tensor in tensors]
    call(copies)
    for tensor, copy in zip(tensors[inputs:], copies[inputs:], strict=True):
        tensor.copy_(copy)
