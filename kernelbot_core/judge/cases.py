"""Runs one case of the manifest to its recorded result, whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable

from kernelbot_core.errors import CaseFailure
from kernelbot_core.judge.cell import run_bench
from kernelbot_core.judge.check import run_build, run_check
from kernelbot_core.judge.exhausted import exhaustion_is_a_verdict
from kernelbot_core.judge.failure import WrongOutput
from kernelbot_core.judge.progress import PHASES, tell
from kernelbot_core.judge.properties import PropertyFailure, run_property
from kernelbot_core.judge.record import USED_UP
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.report import CaseError, CaseResult, unreached

RUN: dict[str, Callable[[JudgeSession, PlannedCase], CaseResult]] = {
    "build": run_build,
    "check": run_check,
    "property": run_property,
    "bench": run_bench,
}


def judge_case(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Judge a case, record the result and tell whoever watches."""
    reason = why_not(session, case)
    if case.skip or (reason and reason.startswith("skip:")):
        result = skipped(case, case.skip or reason.removeprefix("skip:"))
    elif reason:
        result = unreached(case.id, case.kind, reason)
    else:
        tell(session, case)
        began = time.monotonic()
        result = attempt(session, case)
        phase = PHASES[case.kind]
        session.phases[phase] = session.phases.get(phase, 0.0) + time.monotonic() - began
    session.recorder.add(result)
    tell(session, case, result)
    return result


def attempt(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Run the case; a verdict other than passed becomes a failed result."""
    try:
        with exhaustion_is_a_verdict(session):
            return RUN[case.kind](session, case)
    except CaseFailure as failure:
        error = (
            failure.error if isinstance(failure, (WrongOutput, PropertyFailure)) else CaseError(message=failure.reason)
        )
        text = session.said() if failure.status in ("crashed", "build_failed", "out_of_memory") else ""
        if case.kind == "build" and session.artifact is not None:
            text = session.artifact.build.text
        cell = case.cell
        return CaseResult(
            id=case.id, kind=case.kind, status="failed", verdict=failure.status, reason=failure.reason,  # type: ignore[arg-type]  # a text, one of Status
            size=cell.size if cell and case.kind != "property" else None, dtype=cell.dtype if cell else None,
            dims=cell.dims if cell and case.kind != "property" else {},
            error=CaseError(
                message=error.message, index=error.index, output=error.output, expected=error.expected, got=error.got,
                fraction=error.fraction, example=error.example, text=text,
            ),
        )  # fmt: skip


def why_not(session: JudgeSession, case: PlannedCase) -> str:
    """Why a case is not run although the manifest has it; ``skip:`` when that is no fault."""
    if case.kind == "build":
        return ""
    if session.recorder.failed("build"):
        return "the build failed"
    if session.worn_out():
        return "its process has hung, or has died too often in this job"
    if session.out_of_time():
        return f"{USED_UP} {session.order.deadline_s:g} s is used up"
    failed = session.recorder.failed()
    if case.kind == "bench" and failed:
        return f"{failed.id} failed"
    if not session.order.runs or case.cell is None:
        return ""
    offered = session.build().build.dtypes
    if offered is not None and case.cell.dtype not in offered:
        return "skip:not offered by the submission"
    if case.kind != "property" and (why := session.too_large(case.cell)):
        return f"skip:{why}"
    return ""


def skipped(case: PlannedCase, reason: str) -> CaseResult:
    """A case that is not run on this device, with the reason."""
    cell = case.cell
    return CaseResult(
        id=case.id, kind=case.kind, status="skipped", reason=reason, size=cell.size if cell else None,
        dtype=cell.dtype if cell else None,
    )  # fmt: skip
