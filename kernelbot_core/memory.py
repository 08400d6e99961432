"""Memory that two processes share and neither can resize."""

from __future__ import annotations

import fcntl
import os


def sealed_memfd(name: str, size: int) -> int:
    """Make anonymous memory of ``size`` bytes whose size is sealed.

    A mapping that somebody else shrinks kills whoever reads it with SIGBUS; the seals make that impossible.

    :returns: The descriptor.
    """
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, size)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return fd
