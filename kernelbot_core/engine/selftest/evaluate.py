"""From the sessions of a selftest to what they say about the host. Times in seconds."""

from __future__ import annotations

import datetime
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kernelbot_core.engine.hostfile import HostFile
from kernelbot_core.model.device import DeviceInfo
from kernelbot_core.model.nameless import nameless
from kernelbot_core.model.report import CaseResult, Report

MOST_S_T = 2e-6
"""An H200 shows 0.4 to 0.5 us; beyond this the clock cannot attest anything that people race for."""
MOST_C0 = 2e-3
RESOLVED = 0.02
LONG = 20e-6
"""From here on one process resolves 2 % even on a busy host."""
SLOWED = ("hardware slowdown", "software thermal", "hardware thermal", "power brake")
"""Reasons for a lower clock that no honest kernel causes."""


@dataclass(frozen=True)
class Row:
    """One cell over all sessions."""

    name: str
    median: float
    """Median of the ranked clock."""
    resolution: float
    """Relative; the widest session."""
    beyond: float | None
    """Median T - c0."""
    excess: list[float]
    """Session by session; empty where the judge's own clock ranks."""


@dataclass(frozen=True)
class Findings:
    """What the table shows."""

    rows: list[Row]
    s_T: float | None
    """Root mean square of every excess: submission and baseline are the same code, so that its true value is 0."""
    c0: float | None
    objections: list[str]
    """What lies outside of what can be expected, one line each."""


def evaluate(sessions: Sequence[Sequence[Report]]) -> Findings:
    """Look at the reports of all sessions."""
    cases: dict[str, list[CaseResult]] = {}
    for reports in sessions:
        for report in reports:
            for case in report.cases:
                if case.kind == "bench" and case.stats is not None:
                    cases.setdefault(f"{report.problem} {case.size}-{case.dtype}", []).append(case)
    rows = [_row(name, found) for name, found in cases.items()]
    excesses = [one for row in rows for one in row.excess]
    s_T = math.sqrt(statistics.fmean(one**2 for one in excesses)) if excesses else None
    nulls = [t for found in cases.values() for case in found for t in (case.samples.T_null if case.samples else [])]
    c0 = statistics.median(nulls) if nulls else None
    return Findings(rows, s_T, c0, [*_objections(rows, s_T, c0), *_clocks(sessions)] if excesses else [])


def host_file(found: Findings, sessions: Sequence[Sequence[Report]], device: DeviceInfo, driver: str) -> HostFile:
    """What is kept about a GPU whose selftest went well."""
    assert found.s_T is not None
    assert found.c0 is not None
    return HostFile(
        uuid=device.uuid, driver=driver, label=device.label, sessions=len(sessions), s_T=found.s_T, c0=found.c0,
        date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )  # fmt: skip


def raw_file(sessions: Sequence[Sequence[Report]], device: DeviceInfo) -> dict[str, Any]:
    """Every report, ready for JSON: what the table and the figures are made of."""
    return {
        "what": "selftest", "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "device": device.label, "sessions": [[nameless(report) for report in reports] for reports in sessions],
    }  # fmt: skip


def _row(name: str, found: list[CaseResult]) -> Row:
    beyond = [
        statistics.median(case.samples.T) - statistics.median(case.samples.T_null)
        for case in found
        if case.samples and case.samples.T and case.samples.T_null
    ]
    stats = [case.stats for case in found if case.stats]
    return Row(
        name=name,
        median=statistics.median(one.median for one in stats),
        resolution=max(one.resolution for one in stats),
        beyond=statistics.median(beyond) if beyond else None,
        excess=[case.attestation.excess - case.attestation.meddled for case in found if case.attestation],
    )


def _objections(rows: list[Row], s_T: float | None, c0: float | None) -> list[str]:
    found = []
    if s_T is not None and s_T > MOST_S_T:
        found.append(f"the judge's clock scatters by {s_T * 1e6:.1f} us between sessions, at most {MOST_S_T * 1e6:g}")
    if c0 is not None and c0 > MOST_C0:
        found.append(f"a call of nothing takes {c0 * 1e6:.0f} us, at most {MOST_C0 * 1e6:g}")
    wide = [row for row in rows if row.median >= LONG and row.resolution > RESOLVED]
    if wide:
        worst = max(wide, key=lambda row: row.resolution)
        found.append(f"{worst.name} resolves {100 * worst.resolution:.2g} % only, {100 * RESOLVED:g} % is usual")
    return found


def _clocks(sessions: Sequence[Sequence[Report]]) -> list[str]:
    """Reasons for lower clocks that stood before or after a job."""
    seen = {
        reason
        for reports in sessions
        for report in reports
        for moment in ("before", "after")
        for reason in (report.environment.get(moment) or {}).get("throttle") or ()
        if reason in SLOWED
    }
    return [f"the GPU lowered its clocks: {', '.join(sorted(seen))}"] if seen else []
