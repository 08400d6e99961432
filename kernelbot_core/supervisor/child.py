"""The forked child that becomes the sandboxed command."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
from typing import Any

from kernelbot_core.supervisor import cgroup

PR_SET_PDEATHSIG = 1


def start(order: dict[str, Any], fds: list[int], pipe: int) -> int:
    """Fork and execute the command of ``order``.

    :param order: ``command``, ``env``, ``folder``, ``cgroups``, and ``fds``: the numbers that ``fds`` get.
    :param pipe: Where stdout and stderr go.
    :returns: The process id.
    """
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if order["limits"]["cpus"]:
            os.sched_setaffinity(0, order["limits"]["cpus"])
        cgroup.join(order["cgroups"])
        place([*fds, pipe, pipe], [*order["fds"], 1, 2])
        os.chdir(order["folder"])
        os.execve(order["command"][0], order["command"], order["env"])
    except BaseException as exc:  # noqa: BLE001 - the forked child must never return into the supervisor
        os.write(2, f"cannot start {order['command'][0]}: {exc}\n".encode())
    os._exit(127)


def place(have: list[int], want: list[int]) -> None:
    """Give each descriptor of ``have`` the number in ``want``, /dev/null the number 0, and close everything else."""
    above = max([*have, *want, 2]) + 1
    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, above) for fd in have]
    for fd, number in zip(moved, want, strict=True):
        os.dup2(fd, number)
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    for fd in (int(name) for name in os.listdir("/proc/self/fd")):
        if fd and fd not in want:
            with contextlib.suppress(OSError):
                os.close(fd)
