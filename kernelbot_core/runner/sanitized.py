"""A report of a job that ran under a memory checker: what the checker found stands where the crash stands."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kernelbot_core.model.report import CaseError, Report
from kernelbot_core.text import one_line


def explained(report: Report, findings: Sequence[str]) -> Report:
    """Put the checker's first finding in place of the reason of every crashed case; all of them become its text.

    It changes the words of a verdict, never the verdict: the findings come out of the worker's own output.
    """
    if not findings or report.status != "crashed":
        return report
    told = [f"the checker says: {one_line(finding)}" for finding in findings]  # or who writes as it does
    error = CaseError(message=told[0], text="\n".join(told) if len(told) > 1 else "")
    cases = [
        msgspec.structs.replace(case, reason=told[0], error=error) if case.verdict == "crashed" else case
        for case in report.cases
    ]
    first = next((case.id for case in cases if case.verdict == "crashed"), "")
    reason = f"{first}: {told[0]}" if first else told[0]
    return msgspec.structs.replace(report, cases=cases, reason=reason)
