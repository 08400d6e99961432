"""Memory that two processes share and neither can resize."""

from __future__ import annotations

import fcntl
import mmap
import os
import struct

LENGTH = struct.Struct("<Q")


def sealed_memfd(name: str, size: int) -> int:
    """Make anonymous memory of ``size`` bytes whose size is sealed.

    A mapping that somebody else shrinks kills whoever reads it with SIGBUS; the seals make that impossible.

    :returns: The descriptor.
    """
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, size)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return fd


def put(fd: int, data: bytes | memoryview) -> None:
    """Leave ``data`` in sealed memory for another process, behind its length.

    :raises ValueError: There is not room enough.
    """
    room = os.fstat(fd).st_size - LENGTH.size
    if len(data) > room:
        raise ValueError(f"{len(data)} bytes are more than the {room} that may be given back")
    place = LENGTH.size
    for start in range(0, len(data), 1 << 24):
        place += os.pwrite(fd, data[start : start + (1 << 24)], place)
    os.pwrite(fd, LENGTH.pack(len(data)), 0)


def read_only_memfd(name: str, data: memoryview) -> int:
    """A copy of ``data``, as :func:`put` leaves it, that nobody can write to any more; returns the descriptor."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, LENGTH.size + len(data))
    put(fd, data)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL)
    return fd


def taken(fd: int) -> memoryview:
    """What :func:`put` left, read-only and not copied; empty when nothing was left. Every byte is the writer's word."""
    size = os.fstat(fd).st_size
    view = memoryview(mmap.mmap(fd, size, prot=mmap.PROT_READ))
    (length,) = LENGTH.unpack_from(view)
    return view[LENGTH.size : LENGTH.size + length] if length <= size - LENGTH.size else view[:0]
