"""Which rows a block of a separable call has, and what it is seeded with: fixed, so that a seed can be drawn again."""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

from kernelbot_core.model.problem import Signature

WHOLE = 1 << 26
"""Elements of the largest tensor up to which a call is one block, whose inputs are kept."""
BLOCK = 1 << 24
"""Elements of the largest tensor that a block of a larger call has, at most, unless one row has more."""


class Rows(NamedTuple):
    """Rows of one block along the separable dimension."""

    number: int
    start: int
    stop: int


def walk(signature: Signature, dims: dict[str, int], *, whole: int = WHOLE, block: int = BLOCK) -> list[Rows]:
    """The blocks of a call; empty when the call is one block."""
    largest = max(math.prod(shape) for shape in signature.shapes(dims))
    if signature.separable is None or largest <= whole:
        return []
    extent = dims[signature.separable]
    per_row = max(math.prod(shape) for shape in signature.shapes(dims | {signature.separable: 1}))
    step = max(1, block // per_row)
    starts = range(0, extent, step)
    return [Rows(number, start, min(start + step, extent)) for number, start in enumerate(starts)]


def block_seed(seed: int, number: int) -> int:
    """Seed of one block, in [0, 2**63): ``sha256("<seed>|<number>")`` cut like the seeds of calls."""
    digest = hashlib.sha256(f"{seed}|{number}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1


def divided(signature: Signature) -> list[bool]:
    """For every tensor, inputs first: whether it has the separable dimension."""
    return [bool(t.shape) and t.shape[0] == signature.separable for t in signature.tensors]
