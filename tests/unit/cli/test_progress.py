"""Progress on a terminal and without one."""

from __future__ import annotations

import io

from rich.console import Console

from kernelbot_core import Event
from kernelbot_core.cli._progress import show_progress

EVIL = "\x1b[2Jx[red]"
EVENTS = [
    Event(phase="queued", text=f"waiting {EVIL}"),
    Event(phase="start"),
    Event(phase="build", n=0, of=1, case="build"),
    Event(phase="build", n=1, of=1, case="build", ok=True),
    Event(phase="correctness", n=0, of=2, case=EVIL),
    Event(phase="correctness", n=1, of=2, case=EVIL, ok=False, text=EVIL),
    Event(phase="correctness", n=2, of=2, case="check[b]", ok=True),
    Event(phase="benchmark", n=0, of=1, case="bench[a]", text=f"3.62 us provisional, 1 of 9 {EVIL}"),
]


def watch(terminal):
    console = Console(file=io.StringIO(), width=120, force_terminal=terminal)
    with show_progress(console) as hear:
        for event in EVENTS:
            hear(event)
    return console.file.getvalue()


def test_lines_where_there_is_no_terminal():
    assert watch(terminal=False).splitlines() == ["waiting x[red]", "build 1 case, ok", "correctness 2 cases, 1 failed"]


def test_bars_on_a_terminal():
    text = watch(terminal=True)
    assert "correctness" in text
    assert "1 failed" in text
    assert "2/2" in text
    assert "3.62 us provisional" in text
    assert "\x1b[2Jx" not in text
