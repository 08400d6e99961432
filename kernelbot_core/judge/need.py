"""How much memory of the device a cell needs, and how much may wait for its comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernelbot_core.interfaces.device import JudgeDevice, SharedBuffer
from kernelbot_core.judge.blocks import BLOCK, WHOLE, divided, walk
from kernelbot_core.judge.buffers import set_count, shared_by_both
from kernelbot_core.judge.compare import CHUNK_GPU
from kernelbot_core.model.problem import Problem

CEILING = 20 << 30
"""Bytes. Copies that wait never push a cell beyond this; what a cell cannot do without may."""
WIDE = 8
"""Bytes of an element in the oracle."""
COMPARING = 6 * WIDE
"""Bytes per element of the chunk being compared, in the worst case (values that are not finite)."""


@dataclass(frozen=True)
class Need:
    """Bytes at the worst moment of a cell, beyond what the judge itself holds from the start."""

    buffers: int
    """Shared inputs and outputs of both workers."""
    inputs: int
    """The judge's own inputs, where they are kept."""
    copies: int
    """The judge's own copy of the outputs."""
    temporaries: int
    """Drawing and comparing, one block at a time."""
    contexts: int
    """The runtime of the workers."""

    @property
    def total(self) -> int:
        """Everything."""
        return self.buffers + self.inputs + self.copies + self.temporaries + self.contexts

    def __str__(self) -> str:
        parts = {
            "shared": self.buffers, "inputs": self.inputs, "own copy": self.copies, "comparing": self.temporaries,
            "processes": self.contexts,
        }  # fmt: skip
        said = ", ".join(f"{name} {size / 2**30:.1f}" for name, size in parts.items() if size >= 0.05 * 2**30)
        return f"{self.total / 2**30:.1f} GiB ({said})" if said else f"{self.total / 2**30:.1f} GiB"


def need(
    problem: Problem,
    label: str,
    dims: dict[str, int],
    device: JudgeDevice,
    *,
    whole: int = WHOLE,
    block: int = BLOCK,
    chunk: int = CHUNK_GPU,
) -> Need:
    """What one cell needs.

    :param whole: Elements up to which a call is one block; ``block``: of a block; ``chunk``: compared at once.
    """
    signature, binding = problem.signature, problem.bindings[label]
    sizes, count = signature.nbytes(dims, binding), len(signature.inputs)
    workers = 1 if shared_by_both(sizes, device) else 2
    rows = walk(signature, dims, whole=whole, block=block)
    part = dims if not rows or signature.separable is None else dims | {signature.separable: rows[0].stop}
    common = sum(size for size, split in zip(sizes[:count], divided(signature), strict=False) if not split)
    return Need(
        buffers=workers * set_count(sizes, device) * sum(size + SharedBuffer.TAIL for size in sizes),
        inputs=common if rows else sum(sizes[:count]),
        copies=sum(sizes[count:]),
        temporaries=_temporaries(problem, part, binding, again=bool(rows), chunk=chunk),
        contexts=2 * device.context_bytes,
    )


def kept(problem: Problem, label: str, dims: dict[str, int], device: JudgeDevice) -> int:
    """Bytes of inputs and copies of outputs that may wait until the block of calls is over; 0 compares at once."""
    return max(0, min(device.keep_bytes, CEILING - need(problem, label, dims, device).total))


def _temporaries(problem: Problem, part: dict[str, int], binding: dict[str, str], *, again: bool, chunk: int) -> int:
    """Drawn inputs (two blocks while the walk moves on), the oracle's inputs, outputs, scales, and its own workings."""
    signature = problem.signature
    count = len(signature.inputs)
    elements = [math.prod(shape) for shape in signature.shapes(part)]
    drawn = 2 * sum(signature.nbytes(part, binding)[:count]) if again else 0
    oracle = WIDE * (2 * sum(elements[:count]) + 2 * sum(elements[count:]))
    return drawn + oracle + COMPARING * min(chunk, max(elements[count:]))
