"""The judge's own record of what happened: the only source of the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernelbot_core.interfaces.runner import Artifact
from kernelbot_core.interfaces.sandbox import walled
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import (
    STATUS_TEXT,
    Attestation,
    BuildInfo,
    CaseResult,
    Report,
    Seeds,
    Status,
    unreached,
)

USED_UP = "the job's limit of"
"""How the reason of a case begins that was not reached because the submission took the whole time of its job."""


class Recorder:
    """Keeps one result per case of the manifest, and those of the pack's own tests."""

    def __init__(self, order: JudgeOrder) -> None:
        self._order = order
        self._results: dict[str, CaseResult] = {}

    def add(self, result: CaseResult) -> None:
        """Record a case; the first word counts."""
        self._results.setdefault(result.id, result)

    def failed(self, kind: str | None = None) -> CaseResult | None:
        """The first failed case, of a kind if given."""
        for result in self._results.values():
            if result.status == "failed" and kind in (None, result.kind):
                return result
        return None

    def hung(self) -> bool:
        """A case ended with a time-out; waiting for another one teaches nothing."""
        return any(result.verdict == "timeout" for result in self._results.values())

    def cases(self) -> list[CaseResult]:
        """In the order of the manifest; what has no result was not reached."""
        planned = [self._results.get(case.id) or unreached(case.id, case.kind) for case in self._order.cases]
        known = {case.id for case in self._order.cases}
        return planned + [result for key, result in self._results.items() if key not in known]

    def status(self) -> tuple[Status, str]:
        """Verdict over all cases: passed only if nothing failed and something was checked."""
        cases = self.cases()
        for case in cases:
            if case.status == "failed":
                return case.verdict or "infrastructure", f"{case.id}: {case.reason}"
        missing = [case for case in cases if case.status == "not_reached"]
        if missing and missing[0].reason.startswith(USED_UP):  # else being slow would buy another attempt for nothing
            return "timeout", f"{missing[0].id} was not reached: {missing[0].reason}"
        if missing:
            return "infrastructure", f"{missing[0].id} was not reached: {missing[0].reason or 'the judge ended early'}"
        if not any(case.kind == "check" and case.status == "passed" for case in cases):
            reasons = [case.reason for case in cases if case.status == "skipped"]
            return "not_run", reasons[0] if reasons else STATUS_TEXT["not_run"]
        return "passed", STATUS_TEXT["passed"]

    def report(self, seeds: Seeds, artifact: Artifact | None, **more: object) -> Report:
        """The report as far as the judge can tell; the runner adds score, output and telemetry."""
        order, job = self._order, self._order.job
        status, reason = self.status()
        build = artifact.build if artifact else None
        return Report(
            id=job.id, mode=job.mode, status=status, reason=reason, problem=job.problem.name,
            problem_version=job.problem.version, harness=order.harness, language=job.submission.language,
            user=job.submission.user, filename=job.submission.filename, device=job.device, gpu=order.device.label,
            sandbox=order.sandbox, guarantees=order.guarantees, seed=seeds, source=job.submission.sha256,
            artifact=artifact.sha256 if artifact else "", returns_value=bool(build and build.returns_value),
            build=BuildInfo(seconds=artifact.seconds if artifact else 0.0, text=build.text if build else ""),
            cases=self.cases(), attested=attested(order.guarantees, self.cases()), **more,  # type: ignore[arg-type]  # fields of Report
        )  # fmt: skip


MOST_OPEN = 0.5
"""Share of a time above which what could be hidden is too much for the word."""


def attested(guarantees: Iterable[str], cases: Sequence[CaseResult]) -> bool:
    """Whether each time of a report is supported by a clock that the submission cannot reach.

    That takes walls, and a judge who works on the device itself: on a processor its clock ranks, but the submission's
    threads can make it look slow or fast.
    """
    timed = [case for case in cases if case.kind == "bench" and case.status == "passed"]
    found = [case.attestation for case in timed if case.attestation is not None]
    refused = any(case.verdict == "not_attested" for case in cases)
    return bool(timed) and not refused and walled(guarantees) and len(found) == len(timed) and all(map(_counts, found))


def _counts(found: Attestation) -> bool:
    """The claimed time is supported closely enough, or the published one is the judge's own."""
    return (found.ok or found.host_sync or found.replaced) and found.attested_to <= MOST_OPEN
