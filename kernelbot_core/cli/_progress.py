"""Live progress: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from kernelbot_core.cli._units import safe
from kernelbot_core.model.event import Event

TITLES = {"build": "build", "correctness": "correctness", "benchmark": "benchmark"}


@contextmanager
def show_progress(console: Console) -> Iterator[Callable[[Event], None]]:
    """Give a listener that shows events while the block runs."""
    if not console.is_terminal:
        yield lambda event: _line(console, event)
        return
    columns = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def hear(event: Event) -> None:
            if event.phase == "queued":
                progress.console.print(event.text, style="dim")
            elif event.phase in TITLES:
                if event.phase not in tasks:
                    tasks[event.phase] = progress.add_task(TITLES[event.phase], total=event.of)
                progress.update(tasks[event.phase], completed=event.n, total=event.of)

        yield hear


def _line(console: Console, event: Event) -> None:
    if event.phase == "queued":
        console.print(event.text)
    elif event.ok is False or (event.phase in TITLES and event.ok is not None and event.n == event.of):
        mark = "ok" if event.ok else "FAILED"
        console.print(f"{event.phase} {event.n}/{event.of} {event.case} {mark}", markup=False, highlight=False)
        if event.text and not event.ok:
            console.print(f"  {safe(event.text)}", markup=False, highlight=False)
