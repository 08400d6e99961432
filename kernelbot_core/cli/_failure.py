"""What went wrong, as the participant needs it: where, what was expected, the smallest input, the compiler's words."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from kernelbot_core.model.report import CaseError, CaseResult, Report
from kernelbot_core.text import digits, number, one_line, safe

BAD, GREY = "red", "dim"
LAST_LINES = 30
"""Of a traceback or of compiler text; the report has all of it."""
NAMED = 6


def failure(report: Report) -> list[Text]:
    """Details of the first failed case of each kind, and the names of the others."""
    failed = [case for case in report.cases if case.status == "failed"]
    first = list({case.kind: case for case in reversed(failed)}.values())[::-1]
    parts, said = [], set[str]()
    for case in first:
        fresh = case.error is None or case.error.text not in said or not case.error.text
        parts += list(_details(case, with_text=fresh))
        said.add(case.error.text if case.error else "")
    others = [case.id for case in failed if case not in first]
    if others:
        parts.append(Text(f"  failed too: {names(others)}", BAD))
    parts += _unreached(report)
    if report.output.text.strip():
        parts += [Text("  it printed:", GREY), _quoted(report.output.text)]
    return parts


def names(ids: list[str]) -> str:
    """The first few, and how many more."""
    more = len(ids) - NAMED
    return ", ".join(ids[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _details(case: CaseResult, *, with_text: bool) -> Iterator[Text]:
    error = case.error or CaseError(message=case.reason)
    yield Text(f"  {case.id}: {one_line(error.message or case.reason)}", BAD)
    if error.got is not None and error.got not in error.message:
        place = ", ".join(str(i) for i in error.index or [])
        yield Text(f"    at {one_line(error.output or 'output')}[{place}]: expected {one_line(error.expected or '?')}, "
                   f"got {one_line(error.got)}")  # fmt: skip
        much = "not a finite number" if error.fraction is None else f"{digits(error.fraction)} x what is allowed"
        yield Text(f"    error: {much}")
    if error.example:
        yield Text(f"    smallest failing input: {one_line(error.example)}", "bold")
    more = error.text.removeprefix(f"{error.message}\n") if error.text != error.message else ""
    if more.strip() and with_text:
        yield _quoted(more)


def _unreached(report: Report) -> list[Text]:
    reasons: dict[str, int] = {}
    for case in report.cases:
        if case.status == "not_reached":
            reasons[case.reason] = reasons.get(case.reason, 0) + 1
    return [
        Text(f"- not reached, {number(count, 'case')}: {one_line(why) or 'the job ended'}", GREY)
        for why, count in reasons.items()
    ]


def _quoted(text: str) -> Text:
    lines = safe(text).rstrip().splitlines()
    cut = [f"    … {len(lines) - LAST_LINES} lines before"] if len(lines) > LAST_LINES else []
    return Text("\n".join(cut + [f"    | {line[:500]}" for line in lines[-LAST_LINES:]]))
