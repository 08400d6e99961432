"""The last word on a report: manifest, score, output, telemetry."""

from __future__ import annotations

from typing import Any

import msgspec

from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import PROTOCOL, CaseResult, Output, Report, Seeds, unreached


def finish(
    report: Report,
    order: JudgeOrder,
    ranking: Ranking,
    *,
    output: tuple[str, bool],
    environment: dict[str, Any],
    timings: dict[str, float],
    started: str,
) -> Report:
    """Complete the judge's report; a passed one must have a passed or skipped result for every case of the manifest."""
    report = msgspec.structs.replace(
        report, **identity(order), output=Output(text=output[0], truncated=output[1]),
        environment=report.environment | environment,
        timings=report.timings | timings, started=started,
    )  # fmt: skip
    if report.status == "passed":
        gap = manifest_gap(report, order)
        if gap:
            return msgspec.structs.replace(report, status="infrastructure", reason=gap)
        score, scores, baseline = ranking.score(order.job.problem, report)
        report = msgspec.structs.replace(report, score=score, scores=scores, baseline=baseline)
    return report


def identity(order: JudgeOrder) -> dict[str, Any]:
    """What a report is about: who, what and where. The judge's session runs code of the pack and has no say in it."""
    job = order.job
    return {
        "protocol": PROTOCOL, "id": job.id, "mode": job.mode, "problem": job.problem.name,
        "problem_version": job.problem.version, "harness": order.harness,
        "language": job.submission.language, "user": job.submission.user,
        "filename": job.submission.filename, "device": job.device, "gpu": order.device.label,
        "sandbox": order.sandbox, "guarantees": order.guarantees, "source": job.submission.sha256,
    }  # fmt: skip


def manifest_gap(report: Report, order: JudgeOrder) -> str:
    """What a passed report lacks, or ""."""
    results = {case.id: case for case in report.cases}
    for planned in order.cases:
        found = results.get(planned.id)
        if found is None or found.status not in ("passed", "skipped"):
            return f"the judge passed the job without passing {planned.id}"
    if any(case.status not in ("passed", "skipped") for case in report.cases):
        return "the judge passed a job that has a case which did not pass"
    return ""


def fallen(order: JudgeOrder, reason: str, said: str, done: list[str]) -> Report:
    """Report of a job whose judge ended without one; what it had announced is kept as a note."""
    job = order.job
    cases: list[CaseResult] = [unreached(case.id, case.kind) for case in order.cases]
    return Report(
        **identity(order), status="infrastructure", reason=reason, seed=Seeds(public=job.seed), cases=cases,
        environment={"judge_output": said[-4000:], "reached": done},
    )  # fmt: skip
