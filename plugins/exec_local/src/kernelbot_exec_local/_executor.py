"""The embedded executor."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from kernelbot_core import Availability, Event, Executor, Job, Report, run_job_here


class LocalExecutor(Executor):
    """One job per device at a time: two jobs on one device would spoil each other's numbers."""

    name = "local"

    def available(self) -> Availability:
        return Availability(ok=True)

    def capacity(self) -> int:
        return 1

    def run(self, job: Job, on_event: Callable[[Event], None]) -> Report:
        lock = FileLock(Path(tempfile.gettempdir()) / f"kernelbot-{job.device.replace(':', '-')}.lock", mode=0o666)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            on_event(Event(phase="queued", text="waiting for another job on this device"))
            lock.acquire()
        try:
            on_event(Event(phase="start"))
            return run_job_here(job, on_event)
        finally:
            lock.release()
