"""The result card of one job."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._units import rate, safe, seconds
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.report import STATUS_TEXT, CaseResult, Report

GOOD, BAD, GREY = "green", "red", "dim"
TEXT_LINES = 30


def print_card(console: Console, report: Report, recorded: Recorded | None = None) -> None:
    """Print the card; everything that comes from the submission is shown as plain text."""
    console.print(Group(*_parts(report, recorded)), soft_wrap=True)


def _parts(report: Report, recorded: Recorded | None) -> list[RenderableType]:
    parts: list[RenderableType] = [
        Text(f"#{report.id} {report.problem} · {report.language} · {report.gpu} · {report.mode}", "bold"),
        _build(report),
    ]
    parts += _correctness(report)
    parts += _benchmark(report)
    parts += _skipped(report)
    if report.status != "passed":
        parts += _failure(report)
    if report.sandbox == "process":
        parts.append(Text("judged without walls around the code (sandbox: process): for your own code", GREY))
    parts.append(_verdict(report, recorded))
    return parts


def _mark(ok: bool) -> Text:
    return Text("✓ ", GOOD) if ok else Text("✗ ", BAD)


def _build(report: Report) -> Text:
    build = next((case for case in report.cases if case.kind == "build"), None)
    ok = build is not None and build.status == "passed"
    return _mark(ok) + Text(f"build ({report.build.seconds:.1f} s)")


def _correctness(report: Report) -> list[RenderableType]:
    cases = [c for c in report.cases if c.kind in ("check", "property", "extra") and c.status in ("passed", "failed")]
    if not cases:
        return []
    failed = [c for c in cases if c.status == "failed"]
    if failed:
        return [_mark(False) + Text(f"correctness ({len(failed)} of {len(cases)} cases failed)")]
    worst = max((c.fraction for c in cases if c.fraction is not None), default=None)
    difference = max((c.max_diff for c in cases if c.max_diff is not None), default=None)
    text = f"correctness ({len(cases)} cases matched the reference"
    text += f", max_diff = {difference:.3g}" if difference is not None else ""
    text += f", worst error {100 * worst:.2g} % of what is allowed" if worst is not None else ""
    return [_mark(True) + Text(f"{text})")]


def _benchmark(report: Report) -> list[RenderableType]:
    timed = [c for c in report.cases if c.kind == "bench" and c.status == "passed" and c.stats and c.throughput]
    if not timed:
        return []
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style=GREY)
    for title in ("  size", "dtype"):
        table.add_column(title, no_wrap=True)
    for title in ("median", "p99", "std", "±", "n", "rate", "% peak", "vs base"):
        table.add_column(title, justify="right", no_wrap=True)
    for case in timed:
        table.add_row(*_row(case))
    return [_mark(True) + Text("benchmark"), table]


def _row(case: CaseResult) -> list[str]:
    stats, through = case.stats, case.throughput
    assert stats is not None
    assert through is not None
    return [
        f"  {case.size}", case.dtype or "", seconds(stats.median), seconds(stats.p99), seconds(stats.std),
        f"{100 * stats.resolution:.2g} %", str(stats.n), rate(through.bytes_per_s, through.flops_per_s),
        f"{100 * through.peak_fraction:.3g} %" if through.peak_fraction is not None else "-",
        f"{through.speedup:.3g}x" if through.speedup is not None else "-",
    ]  # fmt: skip


def _skipped(report: Report) -> list[RenderableType]:
    reasons: dict[str, list[str]] = {}
    for case in report.cases:
        if case.status == "skipped":
            reasons.setdefault(case.reason, []).append(case.id)
    return [Text(f"- skipped {len(ids)}: {safe(why)}", GREY) for why, ids in reasons.items()]


def _failure(report: Report) -> list[RenderableType]:
    case = next((c for c in report.cases if c.status == "failed"), None)
    if case is None:
        return []
    parts = [Text(f"  {case.id}: {safe(case.reason)}", BAD)]
    if case.error and case.error.example:
        parts.append(Text(f"  smallest failing input: {safe(case.error.example)}"))
    if case.error and case.error.text:
        parts.append(Text("\n".join(f"  | {line}" for line in safe(case.error.text).splitlines()[-TEXT_LINES:])))
    if report.output.text.strip() and case.verdict in ("crashed", "build_failed", "out_of_memory"):
        parts.append(Text("  it printed:", GREY))
        parts.append(Text("\n".join(f"  | {line}" for line in safe(report.output.text).splitlines()[-TEXT_LINES:])))
    return list(parts)


def _verdict(report: Report, recorded: Recorded | None) -> Text:
    where = f"on {report.gpu} · {report.language}"
    if report.status != "passed":
        explained = (
            safe(report.reason) if report.status in ("infrastructure", "not_run") else STATUS_TEXT[report.status]
        )
        return Text(f"{report.status.upper()} ", f"bold {BAD}") + Text(f"({explained}) {where}")
    text = Text("PASSED ", f"bold {GOOD}") + Text(where)
    if recorded is None:
        return text
    if recorded.objections:
        return text + Text(f", not recorded: {'; '.join(safe(o) for o in recorded.objections)}", BAD)
    return _placed(report, recorded) if recorded.entry else text + Text(", not recorded")


def _placed(report: Report, recorded: Recorded) -> Text:
    standing, entry = recorded.standing, recorded.entry
    assert entry is not None
    if standing is None:
        return Text("saved", "bold") + Text(
            f", on the boards of the sizes that were run, not on the overall one of {report.gpu}"
        )
    text = Text(f"RANK {standing.rank} / {recorded.of}", f"bold {GOOD}") + Text(f" on {report.gpu} · {report.language}")
    text += Text(" (tied)" if standing.tied else "")
    if standing.entry.id != entry.id:
        text += Text(f"  with your earlier {standing.entry.filename}")
    if recorded.ahead is not None:
        gap = standing.score / recorded.ahead.score - 1
        text += Text(f"  {100 * gap:.2g} % behind {safe(recorded.ahead.entry.user)}")
    return text + Text(f"\nsubmission saved: kernelbot leaderboard {report.problem} · kernelbot show {report.id}", GREY)
