"""The result card of one job."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._failure import BAD, GREY, failure
from kernelbot_core.cli._table import print_table
from kernelbot_core.cli._timed import remarks, table
from kernelbot_core.cli._verdict import GOOD, verdict
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.report import CaseResult, Report
from kernelbot_core.text import listed, number, one_line, percent


def print_card(
    console: Console, report: Report, recorded: Recorded | None = None, called: str = "", *, whose: bool = False
) -> None:
    """Print the card; everything that comes from the submission is shown as plain text.

    :param recorded: What became of a submission; None when nothing was to be recorded.
    :param called: How the user named the problem: a pack's folder is not found by its name.
    :param whose: Name the user too, for readers who may be somebody else.
    """
    for part in card(report, recorded, called, whose=whose):
        if isinstance(part, Table):
            print_table(console, part)
        else:
            console.print(part, soft_wrap=True)


def card(report: Report, recorded: Recorded | None, called: str = "", *, whose: bool = False) -> list[Text | Table]:
    """The parts of the card, top to bottom."""
    names = [report.problem, report.language, report.gpu, report.mode]
    if whose and report.user:
        names.append(f"by {report.user}")
    parts: list[Text | Table] = [
        Text.assemble((f"#{report.id}", "bold"), "  ", " · ".join(one_line(name) for name in names)),
        *_build(report),
        *_correctness(report),
        *_benchmark(report),
        *([] if report.status == "build_failed" else _skipped(report)),  # nothing was there to be skipped
    ]
    if report.status != "passed":
        parts += failure(report)
    parts += [Text(f"- {note}", GREY) for note in _notes(report)]
    return parts + list(verdict(report, recorded, called))


def _line(ok: bool, text: str) -> Text:
    return Text.assemble(("✓ ", GOOD) if ok else ("✗ ", BAD), text)


def _build(report: Report) -> list[Text | Table]:
    build = next((case for case in report.cases if case.kind == "build"), None)
    if build is None or build.status == "not_reached":
        return []
    built = build.status == "passed" and report.status != "build_failed"  # what cannot be loaded is not built either
    return [_line(built, f"build ({report.build.seconds:.1f} s)")]


def _correctness(report: Report) -> list[Text | Table]:
    cases = [c for c in report.cases if c.kind in ("check", "property", "extra") and c.status in ("passed", "failed")]
    failed = [c for c in cases if c.status == "failed"]
    if not cases:
        return []
    if failed:
        return [_line(False, f"correctness ({len(failed)} of {number(len(cases), 'case')} failed)")]
    return [_line(True, f"correctness (matched the reference in {number(len(cases), 'case')}{_worst(cases)})")]


def _worst(cases: list[CaseResult]) -> str:
    fraction = max((c.fraction for c in cases if c.fraction is not None), default=None)
    difference = max((c.max_diff for c in cases if c.max_diff is not None), default=None)
    text = f", worst error {percent(fraction, 2)} of the allowed" if fraction is not None else ""
    return text + (f", max_diff {difference:.3g}" if difference is not None else "")


def _benchmark(report: Report) -> list[Text | Table]:
    cases = [c for c in report.cases if c.kind == "bench"]
    timed = [c for c in cases if c.status == "passed" and c.stats]
    failed = [c for c in cases if c.status == "failed"]
    if not timed and not failed:
        return []
    line = f"{len(failed)} of {number(len(timed) + len(failed), 'cell')} failed" if failed else _calls(timed)
    parts: list[Text | Table] = [_line(not failed, f"benchmark ({line})")]
    return parts + ([table(timed)] if timed else []) + [Text(f"- {line}", GREY) for line in remarks(timed)]


def _calls(timed: list[CaseResult]) -> str:
    counts = sorted({c.stats.n for c in timed if c.stats})
    runs = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{runs} measured calls in each of {number(len(timed), 'cell')}, every one checked"


def _skipped(report: Report) -> list[Text | Table]:
    cells: dict[str, list[str]] = {}
    for case in report.cases:
        if case.status == "skipped":
            kind = "benchmark " if case.kind == "bench" else ""
            cell = f"{case.size}-{case.dtype}" if case.size else case.id
            cells.setdefault(case.reason, []).append(kind + cell)
    return [
        Text(f"- skipped {listed(list(dict.fromkeys(names)))}: {one_line(why)}", GREY) for why, names in cells.items()
    ]


def _notes(report: Report) -> list[str]:
    """What was noticed on the way, each thing once."""
    notes: dict[str, list[str]] = {}
    for case in report.cases:
        for note in case.notes:
            notes.setdefault(one_line(note), []).append(case.id)
    found = [f"{listed(ids)}: {note}" for note, ids in notes.items()]
    if report.returns_value:
        found.append("solve() returns its outputs; copying them is part of the measured time")
    return found
