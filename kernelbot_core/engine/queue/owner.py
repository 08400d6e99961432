"""Who runs a job: a process, told apart from a later one with the same number."""

from __future__ import annotations

import os
import socket

import psutil


def owner_name() -> str:
    """Name of the present process: machine, number, and moment of its start."""
    return f"{socket.gethostname()}:{os.getpid()}:{psutil.Process().create_time():.2f}"


def alive(owner: str) -> bool:
    """Whether a process may still be there; of another machine nothing is known but the lease."""
    host, pid, created = owner.rsplit(":", 2)
    if host != socket.gethostname():
        return True
    try:
        process = psutil.Process(int(pid))
        return f"{process.create_time():.2f}" == created and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
