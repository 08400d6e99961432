"""Parent of one sandboxed process: limits, output, memory, and the end of the whole tree.

Started as ``python -I -S _supervise.py SOCKET ORDER`` with ORDER a JSON text; standard library only, one thread.
It makes itself the reaper of every orphan below it, so that its descendants are exactly the tree. It ends when the
child ends, when the socket says ``K<reason>`` or closes (the runner died), and then kills until nothing is left. Its
last word on the socket is one JSON object.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any

POLL_S = 0.025
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
PAGE = os.sysconf("SC_PAGE_SIZE")


def tree(root: int) -> list[int]:
    """Process ids of all descendants."""
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - no pathlib: start-up time
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:  # noqa: PTH123
                    below = [int(word) for word in file.read().split()]
                    found += below
                    queue += below
    return found


def memory(pids: list[int]) -> int:
    """Bytes of anonymous and shared memory held by the processes (shared pages count once per process)."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/statm") as file:  # noqa: PTH123
            resident, shared = file.read().split()[1:3]
            total += (int(resident) - int(shared)) * PAGE
        with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:  # noqa: PTH123
            total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith("RssShmem"))
    return total


def kill_all() -> None:
    """Kill and reap until no descendant is left."""
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


def leave(signum: int, frame: Any) -> None:  # noqa: ARG001 - a signal handler's arguments
    """End everything: the runner has died."""
    kill_all()
    os._exit(1)


class Output:
    """What the tree printed: the first and the last part of it."""

    def __init__(self, cap: int) -> None:
        self.half, self.head, self.tail, self.total = cap // 2, b"", b"", 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self.half - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:])[-self.half :] if len(data) > room else self.tail

    def result(self) -> tuple[str, bool]:
        cut = self.total > len(self.head) + len(self.tail)
        middle = b"\n[...]\n" if cut else b""
        return (self.head + middle + self.tail).decode(errors="replace"), cut


def start(order: dict[str, Any], pipe: int, keep: set[int]) -> int:
    """Fork and execute the command of ``order``; returns the process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write("1000")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        null = os.open("/dev/null", os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(pipe, 1)
        os.dup2(pipe, 2)
        for fd in (int(name) for name in os.listdir("/proc/self/fd")):  # noqa: PTH208
            if fd > 2 and fd not in keep:
                with contextlib.suppress(OSError):
                    os.close(fd)
        os.chdir(order["folder"])
        os.execve(order["command"][0], order["command"], order["env"])
    except BaseException as exc:  # noqa: BLE001 - the forked child must never return into the supervisor
        os.write(2, f"cannot start {order['command'][0]}: {exc}\n".encode())
    os._exit(127)


def proportional(pids: list[int]) -> int:
    """The same in proportional set size: exact for pages shared after a fork, and too slow to poll."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as file:  # noqa: PTH123
            total += sum(int(line.split()[1]) * 1024 for line in file if line.startswith(("Pss_Anon", "Pss_Shmem")))
    return total


def over(limits: dict[str, Any], pids: list[int], now: int, elapsed: float) -> str:
    """Name of the limit that is passed, or ""."""
    if elapsed > limits["wall_s"]:
        return "timeout"
    if len(pids) > limits["pids"]:
        return "pids"
    return "memory" if now > limits["memory"] and proportional(pids) > limits["memory"] else ""


def watch(runner: socket.socket, pid: int, pipe: int, limits: dict[str, Any], output: Output) -> tuple[str, int, int]:
    """Until the end: (why we killed it or "", wait status or -1, peak bytes)."""
    began, peak, why, status, looked = time.monotonic(), 0, "", -1, 0.0
    pidfd = os.pidfd_open(pid)
    sources: list[Any] = [runner, pidfd, pipe]
    while status == -1 and not why:
        ready, _, _ = select.select(sources, [], [], POLL_S)
        if pipe in ready:
            data = os.read(pipe, 1 << 16)
            output.add(data)
            if not data:  # everybody closed it; an end of file would be ready for ever
                sources.remove(pipe)
        if runner in ready:
            why = runner.recv(64).decode(errors="replace").removeprefix("K") or "asked"
        if pidfd in ready:
            _, status = os.waitpid(pid, 0)
        elapsed = time.monotonic() - began
        if elapsed - looked >= POLL_S and not why:
            looked = elapsed
            pids = tree(os.getpid())
            now = memory(pids)
            peak = max(peak, now)
            why = over(limits, pids, now, elapsed)
    return why, status, peak


def main() -> None:
    """Supervise one process from start to the last orphan."""
    runner = socket.socket(fileno=int(sys.argv[1]))
    order = json.loads(sys.argv[2])
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGTERM, leave)
    began = time.monotonic()
    read, write = os.pipe()
    pid = start(order, write, set(order["fds"]))
    os.close(write)
    for fd in order["fds"]:
        os.close(fd)
    output = Output(order["limits"]["output"])
    why, status, peak = watch(runner, pid, read, order["limits"], output)
    kill_all()
    os.set_blocking(read, False)
    with contextlib.suppress(BlockingIOError):
        while data := os.read(read, 1 << 16):
            output.add(data)
    text, cut = output.result()
    code = os.waitstatus_to_exitcode(status) if status != -1 else None
    word = {
        "code": code if code is not None and code >= 0 else None,
        "signal": -code if code is not None and code < 0 else None,
        "killed": why, "output": text, "truncated": cut,
        "seconds": time.monotonic() - began, "peak_memory": peak,
    }  # fmt: skip
    with contextlib.suppress(OSError):
        runner.sendall(json.dumps(word).encode())


if __name__ == "__main__":
    main()
