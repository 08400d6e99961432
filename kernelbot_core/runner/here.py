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


def device_key(device_id: str) -> str:
    """What every process of this machine calls a device: its UUID, or the id where it has none.

    Ids count what a process is shown: ``cuda:0`` is another GPU where ``CUDA_VISIBLE_DEVICES`` is another one.

    :raises UsageError: There is no such device.
    """
    from kernelbot_core.engine.devices import find_device
    from kernelbot_core.plugins import registry

    return find_device(registry(), device_id)[1].uuid or device_id
