"""Starts the supervisor and speaks with it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from kernelbot_core import Availability, Exit, Mount, Process, Sandbox, SandboxLimits

SUPERVISOR = Path(__file__).with_name("_supervise.py")


class SupervisedProcess(Process):
    """One supervisor, its child and all that the child forked."""

    def __init__(self, popen: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._popen, self._control = popen, control
        self._exit: Exit | None = None
        self.pidfd = os.pidfd_open(popen.pid)

    def poll(self) -> Exit | None:
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> Exit | None:
        if self._exit is None:
            poller = select.poll()
            poller.register(self._control, select.POLLIN)
            if not poller.poll(None if timeout is None else timeout * 1000):
                return None
            self._exit = self._last_word()
        return self._exit

    def kill(self, why: str = "asked") -> Exit:
        if self._exit is None:
            with contextlib.suppress(OSError):  # it may be ending by itself at this moment
                self._control.sendall(b"K" + why.encode()[:60])
            self._exit = self._last_word()
        return self._exit

    def _last_word(self) -> Exit:
        data = b""
        # A reset instead of an end of file: it left at the same moment, without having read our last word to it.
        with contextlib.suppress(ConnectionResetError):
            while part := self._control.recv(1 << 20):
                data += part
        self._popen.wait()
        self._control.close()
        os.close(self.pidfd)
        if not data:
            return Exit(code=None, killed="supervisor died", seconds=0.0)
        return msgspec.json.decode(data, type=Exit)


class ProcessSandbox(Sandbox):
    """Plain processes: everything is killed and counted, nothing is hidden. For one's own code."""

    name = "process"
    guarantees = frozenset({"kill_all", "memory", "output", "pids", "wall"})

    def available(self) -> Availability:
        if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
            return Availability(ok=False, why="needs Linux 5.3 or newer (pidfd)", fix="run it on Linux, or in WSL 2")
        return Availability(ok=True)

    def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: str,
        mounts: Sequence[Mount],  # noqa: ARG002 - everything is visible here
        limits: SandboxLimits,
        fds: Sequence[int],
    ) -> Process:
        ours, theirs = socket.socketpair()
        order = {
            "command": list(command), "env": dict(env), "folder": folder, "fds": list(fds),
            "limits": msgspec.to_builtins(limits),
        }  # fmt: skip
        with theirs:
            popen = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", str(SUPERVISOR), str(theirs.fileno()), json.dumps(order)],
                pass_fds=[theirs.fileno(), *fds],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                start_new_session=True,
            )
        return SupervisedProcess(popen, ours)
