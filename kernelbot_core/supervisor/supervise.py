"""One supervisor: it has become the reaper of every orphan below it, so that its descendants are exactly the tree.

It ends when the child ends, when the runner says ``K<reason>``, hangs up or dies, and then kills until nothing is
left. Its last word to the runner is one JSON object, an :class:`kernelbot_core.interfaces.sandbox.Exit`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import time
from typing import Any

from kernelbot_core.supervisor import cgroup
from kernelbot_core.supervisor.child import start
from kernelbot_core.supervisor.output import Output
from kernelbot_core.supervisor.tree import in_sockets, kill_all, memory, proportional, shared, tree

POLL_S = 0.025


class Watch:
    """A started child and its limits."""

    def __init__(self, order: dict[str, Any], pid: int, pipe: int, given: set[int]) -> None:
        self._limits, self._groups = order["limits"], order["cgroups"]
        self._pid, self._pipe, self._given = pid, pipe, given
        self._began, self._looked, self._shared = time.monotonic(), 0.0, shared()
        self.output = Output(self._limits["output"])
        self.why, self.lost, self.status, self.peak = "", False, -1, 0

    def until_the_end(self, runner: socket.socket, runner_pidfd: int) -> None:
        """Return once the child has ended or a reason to kill it has come up."""
        pidfd = os.pidfd_open(self._pid)
        sources: list[Any] = [runner, runner_pidfd, pidfd, self._pipe]
        while self.status == -1 and not self.why:
            ready, _, _ = select.select(sources, [], [], POLL_S)
            if self._pipe in ready:
                data = os.read(self._pipe, 1 << 16)
                self.output.add(data)
                if not data:  # everybody closed it; an end of file would be ready for ever
                    sources.remove(self._pipe)
            if runner in ready:
                self.why = runner.recv(64).decode(errors="replace").removeprefix("K") or "asked"
            if runner_pidfd in ready:
                self.why = "the runner died"
            if pidfd in ready:
                _, self.status = os.waitpid(self._pid, 0)
            if self.seconds - self._looked >= POLL_S and not self.why:
                self._looked = self.seconds
                self.why = self._over()
        if self._groups and not self.why and cgroup.out_of_memory(self._groups):
            self.why = "memory"

    def end(self) -> None:
        """Kill whatever is left, take the rest of the output, give the groups back."""
        cgroup.kill(self._groups)
        kill_all()
        if self.why == "memory":
            self.peak = max(self.peak, cgroup.peak(self._groups))
        cgroup.remove(self._groups)
        os.set_blocking(self._pipe, False)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._pipe, 1 << 16):
                self.output.add(data)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._began

    def _over(self) -> str:
        """Name of the limit that is passed, or ""."""
        if self.seconds > self._limits["wall_s"]:
            return "timeout"
        if self._groups:  # the kernel counts memory and processes
            now = cgroup.held(self._groups)
            self.peak = max(self.peak, now)
            return "memory" if now > self._limits["memory"] or cgroup.out_of_memory(self._groups) else ""
        pids = tree(os.getpid())
        unseen = in_sockets(pids, self._shared, self._given)
        now = max(memory(pids), unseen)
        self.peak = max(self.peak, now)
        if len(pids) > self._limits["pids"]:
            return "pids"
        limit = self._limits["memory"]
        return "memory" if now > limit and max(proportional(pids), unseen) > limit else ""


def supervise(order: dict[str, Any], fds: list[int], runner: socket.socket, runner_pidfd: int) -> None:
    """Supervise one process from start to the last orphan."""
    read, write = os.pipe()
    given = {os.fstat(fd).st_ino for fd in fds}
    pid = start(order, fds, write)
    for fd in (write, *fds):
        os.close(fd)
    watch = Watch(order, pid, read, given)
    watch.until_the_end(runner, runner_pidfd)
    seconds = watch.seconds
    watch.end()
    with contextlib.suppress(OSError):
        runner.sendall(json.dumps(_last_word(watch, seconds, by_shell=order["by_shell"])).encode())


def _last_word(watch: Watch, seconds: float, *, by_shell: bool) -> dict[str, Any]:
    code = os.waitstatus_to_exitcode(watch.status) if watch.status != -1 else None
    if code is not None and by_shell:
        if code < 0 and not watch.why:  # the signal hit the command around it, which nobody inside can reach
            watch.why, watch.lost = f"sandbox died of signal {-code}", True
        if 128 < code < 128 + 65:
            code = 128 - code
    text, cut = watch.output.result()
    return {
        "code": code if code is not None and code >= 0 else None,
        "signal": -code if code is not None and code < 0 else None,
        "killed": watch.why, "lost": watch.lost, "output": text, "truncated": cut, "seconds": seconds,
        "peak_memory": watch.peak,
    }  # fmt: skip
