"""The runner as executors see it."""

from __future__ import annotations

from collections.abc import Callable

from kernelbot_core.model.event import Event
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Job


def run_job_here(job: Job, on_event: Callable[[Event], None]) -> Report:
    """Judge a job on this machine with this process as its runner; always returns a report."""
    from kernelbot_core.plugins import registry  # the registry scans entry points: only when a job really runs
    from kernelbot_core.runner.job import run_job

    return run_job(registry(), job, on_event)
