"""One job per device: two jobs on one device would spoil each other's numbers."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kernelbot_core import Event, held_to_the_end


@contextmanager
def device_lock(device: str, on_event: Callable[[Event], None]) -> Iterator[None]:
    """Have a device to oneself; says so when somebody else has it, and waits.

    :param device: What everybody on this machine calls it.

    The process that owns the job's other processes holds it, and when that is killed, whoever ends them: the device is
    free only when they are gone.
    """
    fd = _open(Path(tempfile.gettempdir()) / f"kernelbot-{device.replace(':', '-')}.lock")
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_event(Event(phase="queued", text="waiting for another job on this device"))
            fcntl.flock(fd, fcntl.LOCK_EX)
        with held_to_the_end(fd):
            yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)  # for every holder: closing it would leave it to those who are about to end
        os.close(fd)


def _open(path: Path) -> int:
    """The file of a lock, which every user of this machine may take; it is never removed."""
    with contextlib.suppress(FileNotFoundError):  # first without O_CREAT: refused in /tmp for a file of somebody else
        # Not blocking: a pipe of that name, which anybody can put there, would never open.
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    fd = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    with contextlib.suppress(PermissionError):  # another user has made it in between
        os.fchmod(fd, 0o666)
    return fd
