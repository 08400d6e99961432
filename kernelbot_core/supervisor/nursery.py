"""Forks one supervisor per request: an interpreter that is started once, small, and holds nothing of the runner's.

A request on the socket is one byte with descriptors: the runner's line to the new supervisor, a memfd with the order
as JSON, and what the command inherits. The answer is a pidfd of the supervisor.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from kernelbot_core.supervisor.supervise import supervise
from kernelbot_core.supervisor.tree import kill_all

MAX_FDS = 250
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> None:
    """Serve until the runner hangs up or dies; the supervisors then end by themselves."""
    line = socket.socket(fileno=int(sys.argv[2]))
    runner = os.pidfd_open(os.getppid())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are waited for by pidfd, nobody has to reap them
    while True:
        sources: list[Any] = [line, runner]
        ready, _, _ = select.select(sources, [], [])
        if runner in ready:
            return
        data, fds, _, _ = socket.recv_fds(line, 16, MAX_FDS)
        if not data:
            return
        pid = _fork(line, fds, runner)
        pidfd = os.pidfd_open(pid)
        socket.send_fds(line, [b"+"], [pidfd])
        for fd in (pidfd, *fds):
            os.close(fd)


def _fork(line: socket.socket, fds: list[int], runner: int) -> int:
    above, pid = os.getpid(), os.fork()
    if pid:
        return pid
    try:
        line.close()
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, _leave)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == above:
            with os.fdopen(fds[1], "rb") as file:
                order = json.loads(file.read())
            supervise(order, fds[2 + order["held"] :], socket.socket(fileno=fds[0]), runner)
    finally:
        os._exit(0)


def _leave(signum: int, frame: Any) -> None:  # noqa: ARG001 - a signal handler's arguments
    """End everything: the nursery, and so the runner, has died."""
    kill_all()
    os._exit(1)
