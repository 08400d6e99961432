"""The result card of one job."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.failure import failure
from kernelbot_bot.render.message import BAD, GOOD, PLAIN, Attached, Shown, embed, small
from kernelbot_bot.render.place import placed
from kernelbot_bot.render.progress import by
from kernelbot_bot.render.table import table
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.report import STATUS_TEXT, CaseResult, Report
from kernelbot_core.text import number, percent, rate, seconds, times

YES, NO = "✅", "❌"
OURS = ("infrastructure", "not_run", "cancelled")
"""Statuses that say nothing about the code."""


def card(report: Report, recorded: Recorded | None = None) -> Shown:
    """Everything about one job in one embed; whatever came from the submission is shown as plain text.

    :param recorded: What became of it; None when it was not to be ranked.
    """
    names = (report.problem, report.language, report.gpu, report.mode)
    title = f"#{plain.text(report.id, 20)} · " + " · ".join(plain.text(name, 40) for name in names)
    lines = [*_verdict(report), *placed(report, recorded), *_build(report), *_correctness(report)]
    files: list[Attached] = []
    if report.status != "passed":
        more, files = failure(report)
        lines += more
    lines += [*_benchmark(report), *_notes(report)]
    colour = GOOD if report.status == "passed" else PLAIN if report.status in OURS else BAD
    made = embed(title, [by(report.user), *lines], colour=colour, footer=_footer(report))
    return Shown(made, files)


def _verdict(report: Report) -> list[str]:
    if report.status == "passed":
        return [] if report.mode == "ranked" else [f"**PASSED**{_scores(report)}"]
    why = report.reason if report.status in ("infrastructure", "not_run", "refused") else STATUS_TEXT[report.status]
    said = f"**{report.status.upper().replace('_', ' ')}**: {plain.text(why, 300)}"
    return [said] + (["nothing of this counts against you"] if report.status == "infrastructure" else [])


def _scores(report: Report) -> str:
    parts = []
    for dtype, score in report.scores.items():
        known = report.baseline.get(dtype)
        fast = f" ({times(known / score)} vs baseline)" if known else ""
        parts.append(f"{plain.text(dtype, 20)} {seconds(score)}{fast}")
    return f": {', '.join(parts)}" if parts else ""


def _build(report: Report) -> list[str]:
    build = next((case for case in report.cases if case.kind == "build"), None)
    if build is None or build.status == "not_reached":
        return []
    built = build.status == "passed" and report.status != "build_failed"  # what cannot be loaded is not built either
    return [f"{YES if built else NO} compile ({report.build.seconds:.1f} s)"]


def _correctness(report: Report) -> list[str]:
    cases = [c for c in report.cases if c.kind in ("check", "property", "extra") and c.status in ("passed", "failed")]
    failed = sum(case.status == "failed" for case in cases)
    if not cases:
        return []
    if failed:
        return [f"{NO} correctness ({failed} of {number(len(cases), 'case')} failed)"]
    return [f"{YES} correctness (matched the reference in {number(len(cases), 'case')}{_worst(cases)})"]


def _worst(cases: list[CaseResult]) -> str:
    fraction = max((case.fraction for case in cases if case.fraction is not None), default=None)
    difference = max((case.max_diff for case in cases if case.max_diff is not None), default=None)
    error = "" if fraction is None else f", worst error {percent(fraction)} of the allowed"
    return error + ("" if difference is None else f", max_diff = {difference:.3g}")


def _benchmark(report: Report) -> list[str]:
    cases = [case for case in report.cases if case.kind == "bench"]
    timed = [case for case in cases if case.status == "passed" and case.stats]
    failed = sum(case.status == "failed" for case in cases)
    if not timed and not failed:
        return []
    said = f"{failed} of {number(failed + len(timed), 'cell')} failed" if failed else _runs(timed)
    return [f"{NO if failed else YES} benchmark ({said})", *([_times(timed)] if timed else [])]


def _runs(timed: list[CaseResult]) -> str:
    """How often, the dearest first call, and the share of the time that the judge's clock leaves open at worst."""
    counts = sorted({case.stats.n for case in timed if case.stats})
    parts = [f"{counts[0]} runs" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} runs"]
    first = max((case.first_call for case in timed if case.first_call is not None), default=None)
    if first is not None:
        parts.append(f"first call {seconds(first)}")
    shares = [case.attestation.attested_to for case in timed if case.attestation is not None]
    if shares:
        parts.append(f"attested to {percent(max(shares))}")
    return ", ".join(parts)


def _times(timed: list[CaseResult]) -> str:
    rates = [rate(work.bytes_per_s, work.flops_per_s) if (work := case.throughput) else "-" for case in timed]
    units = {text.partition(" ")[2] for text in rates}
    unit = units.pop() if len(units) == 1 else ""
    head = ("cell", "median", "p99", unit or "rate", "peak", "gain")
    rows = [
        _row(case, text.removesuffix(f" {unit}") if unit else text) for case, text in zip(timed, rates, strict=True)
    ]
    return table(head, rows, longest=1800, gap=1)


def _row(case: CaseResult, speed: str) -> list[str]:
    stats, work = case.stats, case.throughput
    assert stats is not None
    numbers = [seconds(stats.median), seconds(stats.p99), speed, percent(work.peak_fraction if work else None)]
    return [f"{case.size} {case.dtype}", *(n.replace(" ", "") for n in numbers), times(work.speedup if work else None)]


def _notes(report: Report) -> list[str]:
    notes = {plain.text(note, 200) for case in report.cases for note in case.notes}
    skipped = {
        plain.text(case.reason, 200)
        for case in report.cases
        if case.status == "skipped" and case.reason and report.status == "passed"  # else it is not what matters
    }
    return [small(f"{note}") for note in sorted(notes)[:4]] + [small(f"skipped: {why}") for why in sorted(skipped)[:3]]


def _footer(report: Report) -> str:
    walls = "no walls around the code" if report.sandbox == "process" else f"sandbox {plain.bare(report.sandbox)}"
    return f"{plain.bare(report.filename)} · {walls} · kernelbot {plain.bare(report.harness)}"
