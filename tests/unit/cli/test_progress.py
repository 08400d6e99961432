"""Progress on a terminal and without one."""

from __future__ import annotations

import io

from rich.console import Console

from kernelbot_core import Event
from kernelbot_core.cli._progress import show_progress, watch_findings
from kernelbot_core.packs.finding import Finding

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


FINDINGS = [
    (Finding("pack", "README.md", "statement", True, "90 words"), ""),
    (Finding("cell", "a-fp32", "zeros", True, "refused"), "pack README.md: 1 proof, ok"),
    (Finding("cell", "a-fp32", "stale", False, "passed"), ""),
    (Finding("cell", "b-fp32", "cell", None, "for GPUs"), "cell a-fp32: 2 proofs, 1 failed"),
    (Finding("sample", "right/a.py", "verdict", True, "passed"),
     "cell b-fp32: for GPUs\nsample right/a.py: passed"),
    (Finding("sample", f"right/{EVIL}", "verdict", False, f"wrong, expected passed: {EVIL}"),
     "sample right/x[red]: wrong, expected passed: x[red]"),
]  # fmt: skip


def test_a_check_tells_a_pipe_of_each_row_as_soon_as_it_is_done():
    console, seen = Console(file=io.StringIO(), width=20, force_terminal=False), 0
    for finding, (expected, line) in zip(watch_findings((f for f, _ in FINDINGS), console), FINDINGS, strict=True):
        assert finding is expected
        new = console.file.getvalue()[seen:]
        seen += len(new)
        assert new == (f"{line}\n" if line else "")


def test_a_check_whose_last_row_has_several_proofs_tells_of_it_too():
    console = Console(file=io.StringIO(), force_terminal=False)
    assert len(list(watch_findings([f for f, _ in FINDINGS[:3]], console))) == 3
    assert console.file.getvalue().endswith("cell a-fp32: 2 proofs, 1 failed\n")


def test_a_check_on_a_terminal_has_one_line_that_changes():
    console = Console(file=io.StringIO(), width=60, force_terminal=True)
    assert len(list(watch_findings([f for f, _ in FINDINGS], console))) == len(FINDINGS)
    assert "proofs" not in console.file.getvalue()
