"""Writes a judged job into the store; only a passed ranked one becomes an entry."""

from __future__ import annotations

import datetime
import hashlib

from msgspec import Struct

from kernelbot_core.engine.identity import artifact_id, code_lines
from kernelbot_core.engine.place import Place, places
from kernelbot_core.interfaces.sandbox import walled
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Result, Run
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import CaseResult, Report
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry


class Recorded(Struct, frozen=True, kw_only=True):
    """What became of a report."""

    entry: Entry | None = None
    """As it is stored now, with all its runs; None when the report is no entry."""
    places: list[Place] = []
    """Where its user stands now: one overall place per dtype, the problem's first dtype first."""
    objections: list[str] = []
    """Why it is no entry although everything passed."""


def record(registry: Registry, store: Store, problem: Problem, job: Job, report: Report) -> Recorded:
    """Keep source and report, then the row that names them.

    Every ranked report is kept, so that it can be shown; only a passed one that nobody objects to becomes an entry.
    """
    if report.mode != "ranked":
        return Recorded()
    store.put_source(job.submission.source)
    store.put_report(report)
    if report.status != "passed":
        return Recorded()
    objections = _objections(registry, problem, job, report)
    if objections:
        return Recorded(objections=objections)
    entry = store.add_run(_entry(registry, job, report), _run(problem, report))
    taken = places(registry, problem, store, entry)
    first = next((p for p in taken if p.dtype == problem.board_dtype and p.size is None), None)
    if first is not None:
        registry.notify("kernelbot_leaderboard_changed", problem=problem, entry=entry, rank=first.rank_of_all)
    return Recorded(entry=entry, places=taken)


def _objections(registry: Registry, problem: Problem, job: Job, report: Report) -> list[str]:
    found = registry.collect_objections("kernelbot_check_report", job=job, report=report)
    if not walled(report.guarantees):
        found.append(f"it was judged without walls (sandbox: {report.sandbox})")
    if report.problem_version != problem.version:
        found.append("the problem has changed since it was judged")
    if not _timed(report):
        skipped = [case.reason for case in report.cases if case.kind == "bench" and case.status == "skipped"]
        found.append(f"nothing was timed: {skipped[0]}" if skipped else "nothing was timed")
    return found


def _run(problem: Problem, report: Report) -> Run:
    ranked = {cell.name for cell in problem.cells if cell.ranked}
    skipped = [
        f"{case.size}-{case.dtype}" for case in report.cases if case.kind == "bench" and case.status == "skipped"
    ]
    return Run(
        report=report.id,
        at=_moment(report),
        results=[_result(case) for case in _timed(report)],
        skipped=[cell for cell in skipped if cell in ranked],
    )


def _entry(registry: Registry, job: Job, report: Report) -> Entry:
    language = registry.languages[report.language]
    artifact = artifact_id(job.submission.source, language)
    parts = (report.problem, report.problem_version, report.gpu, str(report.protocol), report.user, artifact)
    return Entry(
        id=hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24],
        problem=report.problem,
        problem_version=report.problem_version,
        protocol=report.protocol,
        gpu=report.gpu,
        language=report.language,
        user=report.user,
        artifact=artifact,
        source=report.source,
        filename=report.filename,
        lines=code_lines(job.submission.source, language),
        sandbox=report.sandbox,
        attested=report.attested,
        submitted=_moment(report),
        runs=[],
    )


def _moment(report: Report) -> str:
    return report.started or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _timed(report: Report) -> list[CaseResult]:
    return [case for case in report.cases if case.kind == "bench" and case.status == "passed" and case.stats]


def _result(case: CaseResult) -> Result:
    stats, work = case.stats, case.throughput
    assert stats is not None
    return Result(
        size=case.size or "",
        dtype=case.dtype or "",
        median=stats.median,
        p99=stats.p99,
        resolution=stats.resolution,
        baseline=stats.median * work.speedup if work and work.speedup else None,
        bytes_per_s=work.bytes_per_s if work else 0.0,
        flops_per_s=work.flops_per_s if work else 0.0,
        peak_fraction=work.peak_fraction if work else None,
    )
