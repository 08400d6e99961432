"""Runs a job through an executor and tells whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kernelbot_core.engine.accept import accept_file
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.model.event import Event
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Job, Measure, Mode
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings

Listener = Callable[[Event], None]


def run_job(registry: Registry, job: Job, on_event: Listener | None = None) -> Report:
    """Run a job to its end.

    :raises InfrastructureError: No executor takes it.
    """
    executors = [executor for executor in registry.executors.values() if executor.available().ok]
    name = registry.hook.kernelbot_select_executor(job=job, executors=executors)
    chosen = next((executor for executor in executors if executor.name == name), None)
    if chosen is None:
        here = ", ".join(executor.name for executor in executors) or "none"
        why = "no executor takes the job" if name is None else f"the executor {name} was chosen and is not there"
        raise InfrastructureError(why, f"there are: {here}; see `kernelbot doctor`")
    registry.notify("kernelbot_before_run", job=job)
    report = chosen.run(job, on_event or _nobody)
    registry.notify("kernelbot_after_run", job=job, report=report)
    return report


def judge_file(
    registry: Registry,
    problem: Problem,
    file: Path,
    *,
    settings: Settings | None = None,
    lang: str | None = None,
    device: str = "auto",
    mode: Mode = "benchmark",
    sizes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    seed: int | None = None,
    user: str | None = None,
    sanitize: bool = False,
    measure: Measure | None = None,
    on_event: Listener | None = None,
) -> Report:
    """Accept a file and run it; records nothing."""
    job = accept_file(
        registry, problem, file, settings=settings, lang=lang, device=device, mode=mode, sizes=sizes, dtypes=dtypes,
        seed=seed, user=user, sanitize=sanitize, measure=measure,
    )  # fmt: skip
    return run_job(registry, job, on_event)


def _nobody(event: Event) -> None:
    """Nobody listens."""
