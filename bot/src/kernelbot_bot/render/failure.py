"""What went wrong, as its author needs it: the smallest failing input, expected and got, the compiler's last words."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.message import Attached
from kernelbot_core.model.report import CaseError, CaseResult, Report
from kernelbot_core.text import digits

FOLDED = 700
"""Characters of compiler text or traceback that are shown; longer ones go into a file."""


def failure(report: Report) -> tuple[list[str], list[Attached]]:
    """Lines about the case with the smallest input, else the first that failed; and files with long texts."""
    failed = [case for case in report.cases if case.status == "failed"]
    if not failed:
        return [], []
    first = next((case for case in failed if case.error and case.error.example), failed[0])
    others = [case for case in failed if case is not first]
    error = first.error or CaseError(message=first.reason)
    files = []
    whole = error.message in error.text and len(error.text) <= FOLDED  # the text below says it too
    lines = [] if error.text and whole else [f"`{plain.cell(first.id, 60)}`: {_what(error, first.reason)}"]
    if error.example:
        lines.append(f"**smallest failing input:** {plain.text(error.example, 300)}")
    for name, said in (("compiler.txt" if first.kind == "build" else "traceback.txt", error.text), _printed(report)):
        if len(said) > FOLDED:
            files.append(Attached(name, said.encode()))
        if said.strip():
            lines.append(plain.block(said, FOLDED))
    if others:
        lines.append(f"{len(others)} more failed: {_names(others)}")
    return lines, files


def _what(error: CaseError, reason: str) -> str:
    """Message and numbers; the numbers alone where the message says nothing else."""
    message = plain.text(error.message or reason, 300)
    if error.got is None:
        return message
    said = f"is {error.got}, expected {error.expected}" in error.message
    return _numbers(error) if said else f"{message}\n{_numbers(error)}"


def _numbers(error: CaseError) -> str:
    place = ", ".join(str(i) for i in error.index or [])
    much = "not a finite number" if error.fraction is None else f"{digits(error.fraction)} times what is allowed"
    where = f"`{plain.cell(error.output or 'output')}[{plain.cell(place, 60)}]`"
    return f"{where} is `{plain.cell(error.got, 40)}`, expected `{plain.cell(error.expected, 40)}` ({much})"


def _printed(report: Report) -> tuple[str, str]:
    return "output.txt", report.output.text


def _names(cases: list[CaseResult]) -> str:
    more = f" and {len(cases) - 4} more" if len(cases) > 4 else ""
    return ", ".join(plain.text(case.id, 40) for case in cases[:4]) + more
