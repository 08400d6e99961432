"""The judge itself has run out of memory: whose fault is it?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.interfaces.device import JudgeDevice

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

SIGNS = ("out of memory", "can't allocate memory", "cannot allocate memory")
ODD = 256 << 20
"""Bytes beyond its context that a worker may hold without being blamed."""
SETTLE_S = 2.0
"""The driver gives the memory of a process back a little after its end."""


@contextmanager
def exhaustion_is_a_verdict(session: JudgeSession) -> Iterator[None]:
    """Turn an allocation of the judge's own that fails into the case's verdict; every other exception passes."""
    try:
        yield
    except CaseFailure:
        raise
    except (MemoryError, RuntimeError, InfrastructureError) as exc:
        if not is_exhausted(exc):
            raise
        raise blame(session.device, session.end_submission, str(exc)) from exc


def is_exhausted(exc: BaseException) -> bool:
    """Whether an exception says that there was no memory, in the words of Python, torch or a driver."""
    return isinstance(exc, MemoryError) or any(sign in str(exc).lower() for sign in SIGNS)


def blame(device: JudgeDevice, end_submission: Callable[[], None], what: str) -> CaseFailure:
    """End the submission's worker and see what comes back: memory that it held is its own fault.

    :param what: The error's own words, for the case that nobody in this job is to blame.
    """
    before, deadline = device.memory_free(), time.monotonic() + SETTLE_S
    end_submission()
    while True:
        held = device.memory_free() - before - device.context_bytes
        if held > ODD:
            size = f"{held / 2**30:.1f} GiB"
            return CaseFailure(
                "out_of_memory", f"the submission left no memory on the GPU for the judge: it held {size}"
            )
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    line = (what.strip().splitlines() or ["out of memory"])[0]
    return CaseFailure("infrastructure", f"the judge has no memory: {line}")
