"""The embedded executor: each job has a runner process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from kernelbot_core import (
    Availability,
    Event,
    Executor,
    InfrastructureError,
    Job,
    PackError,
    PluginError,
    RefusedError,
    Report,
    UsageError,
    UserError,
)
from kernelbot_exec_local._wire import Done, Failed, Progress, decode

GRACE_S = 30.0
"""For a runner to end its processes and remove its folder."""


class LocalExecutor(Executor):
    """One job per device at a time, each in a process that does not outlive this one.

    The runner is its own process so that a front-end that is killed leaves nothing behind: the runner sees its standard
    input close and ends whatever it has started. Closing it is also how a job is cancelled.
    """

    name = "local"

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._changing = threading.Lock()

    def available(self) -> Availability:
        return Availability(ok=True)

    def capacity(self) -> int:
        return 1

    def run(self, job: Job, on_event: Callable[[Event], None]) -> Report:
        order = msgspec.json.encode(job) + b"\n"
        read, write = os.pipe()
        with os.fdopen(read, "rb") as pipe:
            try:
                process = self._start(job, write)
            finally:
                os.close(write)
            try:
                # Ended already, or cancelled: the exit code says how.
                with contextlib.suppress(BrokenPipeError, ValueError):
                    _send(process, order)
                last = _follow(pipe, on_event)
            finally:
                self._end(job, process)
        if isinstance(last, Done):
            return last.report
        if isinstance(last, Failed):
            raise _error(last)
        how = _how(process.returncode)
        raise InfrastructureError(f"the runner of job {job.id} {how} and left no report", "run it again")

    def cancel(self, job_id: str) -> bool:
        with self._changing:
            process = self._running.get(job_id)
            if process is None or process.stdin is None:
                return False
            with contextlib.suppress(OSError):
                process.stdin.close()
            return True

    def _start(self, job: Job, write: int) -> subprocess.Popen[bytes]:
        # -P: the folder where somebody stands must not bring modules of its own; a session of its own: a Ctrl-C in the
        # terminal comes to it through us, so that it is told once.
        command = [sys.executable, "-P", "-m", "kernelbot_exec_local", str(write)]
        with self._changing:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, pass_fds=[write], start_new_session=True,
                env=os.environ | {"TMPDIR": tempfile.gettempdir()},
            )  # fmt: skip
            self._running[job.id] = process
        return process

    def _end(self, job: Job, process: subprocess.Popen[bytes]) -> None:
        self.cancel(job.id)
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with self._changing:
            self._running.pop(job.id, None)


def _send(process: subprocess.Popen[bytes], order: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(order)
    process.stdin.flush()


def _follow(pipe: BinaryIO, on_event: Callable[[Event], None]) -> Done | Failed | None:
    """Pass progress on until the last message; None when the runner ended without one."""
    for line in pipe:
        try:
            message = decode(line)
        except msgspec.MsgspecError:  # cut short: it was killed while it wrote
            return None
        if not isinstance(message, Progress):
            return message
        on_event(message.event)
    return None


def _error(failed: Failed) -> UserError:
    kinds = (UsageError, PackError, PluginError, RefusedError, InfrastructureError)
    kind = next((kind for kind in kinds if kind.__name__ == failed.kind), UserError)
    return kind(failed.message, failed.hint)


def _how(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
