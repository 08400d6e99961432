"""Writes a judged job into the store; only a passed ranked one becomes an entry."""

from __future__ import annotations

import hashlib

from msgspec import Struct

from kernelbot_core.engine.identity import artifact_id, code_lines
from kernelbot_core.engine.rank import standings
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Result, Run, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry


class Recorded(Struct, frozen=True, kw_only=True):
    """What became of a report."""

    entry: Entry | None = None
    standing: Standing | None = None
    """The user's line on the board, which may be an earlier entry of theirs."""
    of: int = 0
    """Lines on the board."""
    ahead: Standing | None = None
    """The line before it."""
    objections: list[str] = []
    """Why it is no entry, when everything passed."""


def record(registry: Registry, store: Store, problem: Problem, job: Job, report: Report) -> Recorded:
    """Keep report and source, then the row that names them."""
    store.put_report(report)
    store.put_source(job.submission.source)
    if report.mode != "ranked" or report.status != "passed":
        return Recorded()
    objections = registry.collect_objections("kernelbot_check_report", job=job, report=report)
    results = _results(report)
    if not results:
        objections = [*objections, "nothing was timed"]
    if objections:
        return Recorded(objections=objections)
    run = Run(report=report.id, at=report.started, results=results)
    entry = store.add_run(_entry(registry, job, report), run)
    return _place(registry, store, problem, entry)


def _place(registry: Registry, store: Store, problem: Problem, entry: Entry) -> Recorded:
    board = standings(registry, problem, store, gpu=entry.gpu)
    mine = next((n for n, line in enumerate(board) if line.entry.user == entry.user), None)
    standing = None if mine is None else board[mine]
    if standing is not None:
        registry.notify("kernelbot_leaderboard_changed", problem=problem, entry=entry, rank=standing.rank)
    better = [line for line in board if standing is not None and line.rank < standing.rank]
    return Recorded(entry=entry, standing=standing, of=len(board), ahead=better[-1] if better else None)


def _entry(registry: Registry, job: Job, report: Report) -> Entry:
    language = registry.languages[report.language]
    artifact = artifact_id(job.submission.source, language)
    parts = (report.problem_version, report.gpu, str(report.protocol), report.user, artifact)
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
        submitted=report.started,
        runs=[],
    )


def _results(report: Report) -> list[Result]:
    results = []
    for case in report.cases:
        if (
            case.kind == "bench"
            and case.status == "passed"
            and case.stats
            and case.throughput
            and case.size
            and case.dtype
        ):
            speedup = case.throughput.speedup
            results.append(
                Result(
                    size=case.size,
                    dtype=case.dtype,
                    median=case.stats.median,
                    p99=case.stats.p99,
                    resolution=case.stats.resolution,
                    baseline=case.stats.median * speedup if speedup else None,
                    bytes_per_s=case.throughput.bytes_per_s,
                    flops_per_s=case.throughput.flops_per_s,
                    peak_fraction=case.throughput.peak_fraction,
                )
            )
    return results
