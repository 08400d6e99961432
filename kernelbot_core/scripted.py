"""Doubles for tests of front-ends: an executor that answers at once with a made-up report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from msgspec.structs import replace

from kernelbot_core.interfaces.executor import Executor
from kernelbot_core.interfaces.sandbox import WALLS
from kernelbot_core.model.device import Availability
from kernelbot_core.model.event import Event, Phase
from kernelbot_core.model.plan import PlannedCase, plan
from kernelbot_core.model.report import (
    STATUS_TEXT,
    BuildInfo,
    CaseError,
    CaseResult,
    Report,
    Samples,
    Seeds,
    Stats,
    Status,
    Throughput,
)
from kernelbot_core.model.submission import Job

STEPS: tuple[tuple[Phase, tuple[str, ...]], ...] = (
    ("build", ("build",)),
    ("correctness", ("check", "property")),
    ("benchmark", ("bench",)),
)


def passed_report(job: Job, time: float = 1e-3, **changes: Any) -> Report:
    """Everything passed; ``time`` seconds at the size ``small`` and four times that elsewhere."""
    cases = [_case(planned, time) for planned in plan(job, device_kind="cpu")]
    report = Report(
        id=job.id, mode=job.mode, status="passed", reason=STATUS_TEXT["passed"], problem=job.problem.name,
        problem_version=job.problem.version, harness="0", language=job.submission.language,
        user=job.submission.user, filename=job.submission.filename, device=job.device, gpu="cpu",
        sandbox=job.sandbox, guarantees=sorted(WALLS), seed=Seeds(public=job.seed),
        source=job.submission.sha256, cases=cases,
        build=BuildInfo(seconds=1.25), started="2026-01-02T03:04:05+00:00",
    )  # fmt: skip
    return replace(report, **changes)


def failed_report(
    report: Report, status: Status, kind: str = "check", text: str = "", error: CaseError | None = None
) -> Report:
    """The first case of that kind failed, later ones were not reached."""
    at = next(n for n, case in enumerate(report.cases) if case.kind == kind and case.status == "passed")
    error = error or CaseError(message=f"it is {status}", text=text)
    before, failing, after = report.cases[:at], report.cases[at], report.cases[at + 1 :]
    bad = CaseResult(
        id=failing.id, kind=failing.kind, status="failed", verdict=status, reason=error.message, error=error
    )
    rest = [CaseResult(id=case.id, kind=case.kind, status="not_reached", reason=f"{bad.id} failed") for case in after]
    return replace(report, status=status, reason=f"{bad.id}: {error.message}", cases=[*before, bad, *rest])


class ScriptedExecutor(Executor):
    """Takes every job and says what :attr:`answer` says; subclass it or set the attribute of the class."""

    name = "scripted"
    answer: ClassVar[Callable[[Job], Report]] = passed_report

    def available(self) -> Availability:
        """Always."""
        return Availability(ok=True)

    def capacity(self) -> int:
        """One."""
        return 1

    def run(self, job: Job, on_event: Callable[[Event], None]) -> Report:
        """The answer, after the events of its cases."""
        report = type(self).answer(job)
        for phase, kinds in STEPS:
            cases = [case for case in report.cases if case.kind in kinds and case.status in ("passed", "failed")]
            for number, case in enumerate(cases, start=1):
                ok = case.status == "passed"
                on_event(Event(phase=phase, n=number, of=len(cases), case=case.id, ok=ok, text=case.reason))
        return report


def made_up_stats(time: float, resolution: float = 0.001) -> Stats:
    """Fifty calls that all took about ``time`` seconds."""
    return Stats(
        n=50, median=time, mean=time, std=time / 50, min=time, p50=time, p99=time * 1.2, ci95=(time, time),
        resolution=resolution,
    )  # fmt: skip


def _case(planned: PlannedCase, time: float) -> CaseResult:
    cell = planned.cell
    made = CaseResult(
        id=planned.id, kind=planned.kind, status="skipped" if planned.skip else "passed", reason=planned.skip,
        size=cell.size if cell and planned.kind != "property" else None, dtype=cell.dtype if cell else None,
    )  # fmt: skip
    if planned.skip or planned.kind == "build":
        return made
    if planned.kind != "bench" or cell is None:
        return replace(made, fraction=0.25, max_diff=1e-7, calls=3)
    median = time if cell.size == "small" else 4 * time
    work = Throughput(bytes_per_s=cell.bytes / median, flops_per_s=1.0, peak_fraction=0.5, speedup=1e-3 / median)
    return replace(made, stats=made_up_stats(median), throughput=work, samples=Samples(T=[median]), calls=60)
