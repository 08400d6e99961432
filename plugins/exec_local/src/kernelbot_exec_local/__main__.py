"""The runner as a process of its own: the job on standard input, what it says on the descriptor that is named.

It ends itself when standard input is closed: then whoever started it has died, or has cancelled the job.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

import msgspec

from kernelbot_core import Event, Job, UserError, device_key, run_job_here
from kernelbot_exec_local._lock import device_lock
from kernelbot_exec_local._wire import Done, Failed, Progress, Said, encode

BLOCK = 1 << 16
INTERRUPTED = 130


def main(out: int) -> int:
    """Judge one job; returns the exit code."""
    job = msgspec.json.decode(_line(0), type=Job)
    try:
        signal.signal(signal.SIGTERM, _interrupt)
        threading.Thread(target=_end_with_the_other_side, daemon=True).start()
        try:
            _judge(job, out)
        finally:
            # Standard input closes once the last message is read, too, and the interpreter's end must not be cut short.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _judge(job: Job, out: int) -> None:
    with os.fdopen(out, "wb") as pipe:

        def say(message: Said) -> None:
            pipe.write(encode(message))
            pipe.flush()

        def hear(event: Event) -> None:
            say(Progress(event))

        try:
            with device_lock(device_key(job.device), hear):
                hear(Event(phase="start"))
                report = run_job_here(job, hear)
            say(Done(report))
        except UserError as exc:
            say(Failed(kind=type(exc).__name__, message=exc.message, hint=exc.hint))


def _line(fd: int) -> bytes:
    """The first line; not through ``sys.stdin``, whose lock a thread that waits there would hold to the end."""
    data = bytearray()
    while not data.endswith(b"\n") and (block := os.read(fd, BLOCK)):
        data += block
    return bytes(data)


def _end_with_the_other_side() -> None:
    while os.read(0, BLOCK):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's arguments
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once: what ends processes and removes folders must not be cut short
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
