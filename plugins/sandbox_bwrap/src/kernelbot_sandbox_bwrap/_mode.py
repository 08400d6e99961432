"""As whom bubblewrap is started: the two ways are not interchangeable."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from typing import Literal

Mode = Literal["root", "user", "drop"]
"""``root``: real root makes the namespaces and becomes a user of the pool inside. With a user namespace instead, the
process would stay root for the host: kernel settings could be opened for writing and RLIMIT_NPROC would do nothing.
``user``: an ordinary user, with a user namespace. ``drop``: root without the right to mount (in a container) becomes a
user of the pool first, then as ``user``."""
CAP_SYS_ADMIN = 21
FIRST_UID, POOL = 60001, 1000
"""One user id for each sandbox that runs at the same time."""


def mode() -> Mode:
    """The way for the calling process."""
    if os.geteuid():
        return "user"
    lines = Path("/proc/self/status").read_text().splitlines()
    effective = next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff"))
    return "root" if effective >> CAP_SYS_ADMIN & 1 else "drop"


def take_uid() -> tuple[int, int]:
    """A user id of the pool that nobody uses now, and the descriptor of its lock: free again when that is closed.

    :raises OSError: All are taken.
    """
    folder = _folder()
    for uid in range(FIRST_UID, FIRST_UID + POOL):
        fd = os.open(folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
        else:
            return uid, fd
    raise OSError(f"all {POOL} user ids of the pool are taken")


def _folder() -> Path:
    """Where the locks lie; nobody but root can write there."""
    run = Path("/run")
    folder = (run if os.access(run, os.W_OK) else Path(tempfile.gettempdir())) / "kernelbot-uids"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise OSError(f"{folder} belongs to somebody else: remove it")
    return folder
