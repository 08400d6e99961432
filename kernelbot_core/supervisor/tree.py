"""All descendants of a process: who they are, what they hold, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection, Iterator

PAGE = os.sysconf("SC_PAGE_SIZE")


def tree(root: int) -> list[int]:
    """Process ids of all descendants."""
    found, queue = [], [root]
    while queue:
        below = _children(queue.pop())
        found += below
        queue += below
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
    return found


def memory(pids: list[int]) -> int:
    """Bytes of anonymous and shared memory held by the processes (shared pages count once per process)."""
    return max(sum(resident(pid) for pid in pids), unmapped(pids))


def resident(pid: int) -> int:
    """Anonymous and shared memory in the page tables of one process, bytes."""
    total = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm") as file:
        pages, shared = file.read().split()[1:3]
        total += (int(pages) - int(shared)) * PAGE
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith("RssShmem"))
    return total


def unmapped(pids: list[int]) -> int:
    """Bytes in memfds that the processes hold open; one that nobody maps is in nobody's page tables."""
    seen: dict[tuple[int, int], int] = {}
    for pid in pids:
        for path in _descriptors(pid, "/memfd:"):
            with contextlib.suppress(OSError):
                found = os.stat(path)
                seen[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(seen.values())


def in_sockets(pids: list[int], before: int, given: Collection[int]) -> int:
    """Bytes in memfds that lie in a socket, where nobody sees whose they are: 0, or their growth on the machine.

    :param before: :func:`shared` at the start.
    :param given: Inodes of sockets that the processes were given: what lies in those is from outside.
    """
    return max(0, shared() - before) if any(_underway(pid, given) for pid in pids) else 0


def shared() -> int:
    """Bytes of shared memory and files in memory on this machine."""
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("Shmem:"))


def _underway(pid: int, given: Collection[int]) -> bool:
    """Whether descriptors wait in a socket of the process (told by Linux 5.6 and newer)."""
    for path in _descriptors(pid, "socket:"):
        with contextlib.suppress(OSError), open(path.replace("/fd/", "/fdinfo/")) as file:
            waiting = any(line.startswith("scm_fds:") and int(line.split()[1]) for line in file)
            if waiting and os.stat(path).st_ino not in given:
                return True
    return False


def _descriptors(pid: int, kind: str) -> Iterator[str]:
    """Those of a process that lead to something of a kind."""
    try:
        paths = [entry.path for entry in os.scandir(f"/proc/{pid}/fd")]
    except OSError:
        return
    for path in paths:
        with contextlib.suppress(OSError):
            if os.readlink(path).startswith(kind):
                yield path


def proportional(pids: list[int]) -> int:
    """Memory in proportional set size: exact for pages shared after a fork, and too slow to poll.

    A process that hides its maps counts with everything that it shares.
    """
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) << 10 for line in file if line.startswith(("Pss_Anon", "Pss_Shmem")))
        except OSError:
            total += resident(pid)
    return max(total, unmapped(pids))


def kill_strays(kept: Collection[int]) -> None:
    """Kill and reap every child, and all below it, but those ``kept``."""
    while strays := set(_children(os.getpid())).difference(kept):
        for pid in [each for stray in strays for each in (stray, *tree(stray))]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def kill_all() -> None:
    """Kill and reap until this process has no descendant left."""
    while True:
        for pid in tree(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:  # reap in bulk: one look at the tree for each would be quadratic
                pass
        except ChildProcessError:
            return
