"""Calls of the judge's own: for comparing processes that have loaded nothing yet, and what ends a control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def stand_in(inputs: Sequence[Any], outputs: Sequence[Any]) -> Callable[[], None]:
    """A call that reads every input and writes every output, with whatever they hold.

    It is made once here: a kernel that is loaded behind the gate might wait for the device.

    :param inputs: Contiguous tensors; of those longer than an output a part is read. An output longer than all of them
        is cleared first.
    """
    import torch

    pairs = [_overlap(one, other) for other in outputs for one in inputs]
    longest = max((one.nbytes for one in inputs), default=0)
    clear = clearing([output for output in outputs if output.nbytes > longest])

    def call() -> None:
        clear()
        for one, other in pairs:
            torch.bitwise_not(one, out=other)

    call()
    return call


def clearing(outputs: Sequence[Any]) -> Callable[[], None]:
    """A call that fills outputs with zeros, whatever their dtype; made once here, for the same reason."""
    import torch

    flat = [output.view(-1).view(torch.uint8) for output in outputs]

    def call() -> None:
        for output in flat:
            output.zero_()

    call()
    return call


def _overlap(one: Any, other: Any) -> tuple[Any, Any]:
    """As many bytes of both as they have in common."""
    import torch

    size = min(one.nbytes, other.nbytes)
    return one.view(-1).view(torch.uint8)[:size], other.view(-1).view(torch.uint8)[:size]
