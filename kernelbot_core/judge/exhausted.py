"""The judge itself has run out of memory: whose fault is it?"""

from __future__ import annotations

from kernelbot_core.errors import CaseFailure
from kernelbot_core.interfaces.device import JudgeDevice
from kernelbot_core.judge.worker import WorkerHandle

SIGNS = ("out of memory", "can't allocate memory")
ODD = 256 << 20
"""Bytes beyond its context that a worker may hold without being blamed."""


def is_exhausted(exc: BaseException) -> bool:
    """Whether an exception says that there was no memory, in the words of Python, torch or a driver."""
    return isinstance(exc, MemoryError) or any(sign in str(exc).lower() for sign in SIGNS)


def blame(device: JudgeDevice, worker: WorkerHandle | None, what: str) -> CaseFailure:
    """End the submission's worker and see what comes back: memory that it held is its own fault.

    :param what: The error's own words, for the case that nobody in this job is to blame.
    """
    before = device.memory_free()
    if worker is not None:
        worker.link.close("memory")
    held = device.memory_free() - before - device.context_bytes
    if held > ODD:
        size = f"{held / 2**30:.1f} GiB"
        return CaseFailure("out_of_memory", f"the submission left no memory on the GPU for the judge: it held {size}")
    line = (what.strip().splitlines() or ["out of memory"])[0]
    return CaseFailure("infrastructure", f"the judge has no memory: {line}")
