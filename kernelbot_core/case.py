"""What a property of a pack draws: the shape of one more call, and what to plant in its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One example of a property.

    :param dims: Value of every dimension of the signature.
    :param fill: Called with the input tensors (already filled by ``inputs``), changes them in place.
    :param note: Says in words what ``fill`` does; shown with a failing example.
    """

    dims: dict[str, int]
    fill: Callable[..., Any] | None = None
    note: str = ""
