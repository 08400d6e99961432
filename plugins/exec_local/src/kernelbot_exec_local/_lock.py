"""One job per device: two jobs on one device would spoil each other's numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from kernelbot_core import Event


@contextmanager
def device_lock(device: str, on_event: Callable[[Event], None]) -> Iterator[None]:
    """Have a device to oneself; says so when somebody else has it, and waits.

    The process that owns the job's other processes holds it, so that the device is free only when they are gone.
    """
    lock = FileLock(Path(tempfile.gettempdir()) / f"kernelbot-{device.replace(':', '-')}.lock", mode=0o666)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        on_event(Event(phase="queued", text="waiting for another job on this device"))
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
