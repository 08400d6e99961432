"""Forks one supervisor per request: an interpreter that is started once, small, and holds nothing of the runner's.

A request on the socket is one byte with descriptors: the runner's line to the new supervisor, a memfd with the order
as JSON, and what the command inherits. The answer is a pidfd of the supervisor.

It cleans up after those that were killed: behind a supervisor its tree and its control groups, behind the runner the
supervisors and the job's scratch folders.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from kernelbot_core.supervisor import cgroup
from kernelbot_core.supervisor.supervise import supervise
from kernelbot_core.supervisor.tree import kill_all, kill_strays

MAX_FDS = 250
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Nursery:
    """The living supervisors and what they must not leave behind."""

    def __init__(self, line: socket.socket, runner: int) -> None:
        self._line, self._runner = line, runner
        self._charges: dict[int, tuple[int, list[str]]] = {}
        """By pidfd: process id, control groups."""
        self._bases: set[str] = set()
        """Folders in which the runner makes its control groups."""

    def serve(self) -> None:
        """Return when the runner hangs up or dies."""
        while True:
            sources: list[Any] = [self._line, self._runner, *self._charges]
            ready, _, _ = select.select(sources, [], [])
            for pidfd in self._charges.keys() & ready:
                self._bury(pidfd)
            if self._runner in ready:
                return
            if self._line in ready:
                data, fds, _, _ = socket.recv_fds(self._line, 16, MAX_FDS)
                if not data:
                    return
                self._fork(fds)

    def end(self) -> None:
        """End every supervisor and wait until nothing is left of it."""
        for pidfd in self._charges:
            signal.pidfd_send_signal(pidfd, signal.SIGTERM)
        for pidfd in list(self._charges):
            self._bury(pidfd)

    def sweep(self, runner: int) -> None:
        """Remove the groups of a runner that was killed before it could ask for a supervisor with them.

        :param runner: Its process id, with which their names begin: ``<pid>-<number>``.
        """
        for base in self._bases:
            cgroup.remove([f"{base}/{name}" for name in os.listdir(base) if name.startswith(f"{runner}-")])

    def _fork(self, fds: list[int]) -> None:
        with os.fdopen(fds[1], "rb", closefd=False) as file:
            order = json.loads(file.read())
        pid = _supervisor(self._line, order, fds, self._runner)
        pidfd = os.pidfd_open(pid)
        self._charges[pidfd] = pid, order["cgroups"]
        self._bases.update(os.path.dirname(group) for group in order["cgroups"])
        with contextlib.suppress(OSError):  # it has died; noticed at the next look
            socket.send_fds(self._line, [b"+"], [pidfd])
        for fd in fds:
            os.close(fd)

    def _bury(self, pidfd: int) -> None:
        """Reap a supervisor; what it has not done itself because it was killed is done here."""
        pid, groups = self._charges.pop(pidfd)
        os.waitpid(pid, 0)
        os.close(pidfd)
        cgroup.kill(groups)
        kill_strays([each for each, _ in self._charges.values()])
        cgroup.remove(groups)


def main() -> None:
    """Serve as long as there is a runner, then leave nothing behind."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    number, scratch, runner = int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    if os.getppid() == runner:  # else it has died already
        nursery = Nursery(socket.socket(fileno=number), os.pidfd_open(runner))
        nursery.serve()
        nursery.end()
        if os.getppid() != runner:
            nursery.sweep(runner)
    if os.getppid() != runner:
        from kernelbot_core.supervisor.scratch import sweep  # only now: its imports cost more than all the others

        sweep(scratch, runner)


def _supervisor(line: socket.socket, order: dict[str, Any], fds: list[int], runner: int) -> int:
    above, pid = os.getpid(), os.fork()
    if pid:
        return pid
    try:
        line.close()
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, functools.partial(_leave, order["cgroups"]))
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        os.close(fds[1])
        if os.getppid() == above:
            supervise(order, fds[2 + order["held"] :], socket.socket(fileno=fds[0]), runner)
    finally:
        os._exit(0)


def _leave(groups: list[str], signum: int, frame: Any) -> None:  # noqa: ARG001 - a signal handler's arguments
    """End everything: the nursery, and so the runner, has died."""
    cgroup.kill(groups)
    kill_all()
    cgroup.remove(groups)
    os._exit(1)
