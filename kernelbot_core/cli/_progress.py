"""Live progress: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from kernelbot_core.model.event import Event
from kernelbot_core.packs.finding import Finding
from kernelbot_core.text import number, one_line

PHASES = ("build", "correctness", "benchmark")

Listener = Callable[[Event], None]


@contextmanager
def show_progress(console: Console) -> Iterator[Listener]:
    """Give a listener that shows events while the block runs."""
    if not console.is_terminal:
        yield Lines(console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bars(progress)


class Bars:
    """One bar per phase."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}
        self._failed: dict[str, int] = {}

    def __call__(self, event: Event) -> None:
        """Show one event."""
        if event.phase == "queued":
            self._progress.console.print(Text(one_line(event.text), "dim"))
        if event.phase not in PHASES:
            return
        if event.phase not in self._tasks:
            self._tasks[event.phase] = self._progress.add_task(event.phase, total=event.of)
        failed = self._failed[event.phase] = self._failed.get(event.phase, 0) + (event.ok is False)
        so_far = f"  {escape(one_line(event.text))}" if event.ok is None and event.text else ""
        label = (
            f"{event.phase}  [red]{failed} failed[/red]" if failed else f"{event.phase}  {escape(event.case)}{so_far}"
        )
        self._progress.update(self._tasks[event.phase], completed=event.n, total=event.of, description=label)


class Lines:
    """One line per phase, when it has ended."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._failed: dict[str, int] = {}

    def __call__(self, event: Event) -> None:
        """Show one event."""
        if event.phase == "queued":
            self._say(one_line(event.text))
        if event.phase not in PHASES or event.ok is None:
            return
        failed = self._failed[event.phase] = self._failed.get(event.phase, 0) + (event.ok is False)
        if event.n == event.of:
            self._say(f"{event.phase} {number(event.n, 'case')}, {f'{failed} failed' if failed else 'ok'}")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


def watch_findings(findings: Iterable[Finding], console: Console) -> Iterator[Finding]:
    """The findings of a check as they come: the last one on a terminal, a line for each row that is done elsewhere."""
    if not console.is_terminal:
        yield from _told(findings, console)
        return
    with console.status("checking") as status:
        for finding in findings:
            status.update(Text(one_line(f"{finding.group} {finding.name}")))
            yield finding


def _told(findings: Iterable[Finding], console: Console) -> Iterator[Finding]:
    row: list[Finding] = []
    for finding in findings:
        if row and (row[0].group, row[0].name) != (finding.group, finding.name):
            console.print(Text(_row(row)), soft_wrap=True)
            row = []
        row.append(finding)
        if finding.group == "sample":  # nothing else is found of it, and the next one takes its time
            console.print(Text(_row(row)), soft_wrap=True)
            row = []
        yield finding
    if row:
        console.print(Text(_row(row)), soft_wrap=True)


def _row(row: list[Finding]) -> str:
    """``cell small-fp32: 5 proofs, ok``, ``sample right/add.py: passed``."""
    first, failed = row[0], sum(finding.ok is False for finding in row)
    if len(row) == 1 and (first.ok is None or first.group == "sample"):
        what = first.text
    else:
        what = f"{number(len(row), 'proof')}, {f'{failed} failed' if failed else 'ok'}"
    return one_line(f"{first.group} {first.name}: {what}")
