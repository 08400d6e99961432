"""Honest kernels of every kind: they pass, and their time is that of a plain loop."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import ours
from .catalog import HERE, Case
from .sizes import on_gpu

MISSING, SYNCHRONISES = "is not in this environment", "synchronises inside"
NEAR = 0.02
"""Largest difference from the plain loop that needs no stated reason."""


@dataclass
class Visit:
    """One honest kernel before the judge."""

    name: str
    status: str
    reason: str
    seconds: float | None
    """By the judge."""
    plain: float | None
    """By a plain loop in one process, on a GPU; None where it was not asked."""
    resolution: float
    host_sync: bool
    """The watchdog opened the gate in most of its calls."""
    credit: str
    """Why the two may differ, as its header says; empty: they may not."""

    @property
    def apart(self) -> float | None:
        """Relative difference of the two times."""
        return self.seconds / self.plain - 1 if self.seconds and self.plain else None

    @property
    def absent(self) -> bool:
        """A package that it imports is not installed here: nothing was judged."""
        return MISSING in self.reason

    @property
    def why(self) -> str:
        """What is wrong with it; empty when nothing is."""
        if self.absent:
            return ""
        if self.host_sync and SYNCHRONISES not in self.credit:
            return "the watchdog opened the gate, and it does not say that it synchronises"
        if self.status != "passed":
            return f"{self.status}: {self.reason}"
        if self.apart is not None and abs(self.apart) > NEAR + self.resolution and not self.credit:
            return f"{100 * self.apart:+.1f} % from the plain loop"
        return ""

    @property
    def ok(self) -> bool:
        """Accepted, at its own time."""
        return not self.why

    def line(self) -> str:
        """One row of the table."""
        times = "" if self.seconds is None else f"{self.seconds * 1e6:10.2f} us"
        plain = "" if self.plain is None else f"plain {self.plain * 1e6:10.2f} us {100 * (self.apart or 0):+6.2f} %"
        mark = "-  " if self.absent else "ok " if self.ok else "BAD"
        return f"{mark} {self.name:44} {self.status:8} {times} {plain} {self.credit or self.reason}"


def visit(case: Case, device: str) -> Visit:
    """Judge one; on a GPU it is held against a plain loop, which runs while nothing else does."""
    gpu = device != "cpu"
    mode = "benchmark" if gpu else "test"
    verdict = ours.judge(case.source(), f"kernel{case.path.suffix}", case.problem, device=device, mode=mode)
    plain = plain_loop(case, device) if gpu and verdict.status == "passed" else None
    return Visit(
        case.name,
        verdict.status,
        verdict.reason,
        verdict.seconds,
        plain,
        verdict.resolution,
        verdict.host_sync,
        case.credit,
    )


def plain_loop(case: Case, device: str) -> float | None:
    """Median seconds between two events in one process, cache flushed by reading, no judge."""
    pack, size = on_gpu(case.problem)
    problem = pack if isinstance(pack, str) else pack.path
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"kernel{case.path.suffix}"
        file.write_text(case.source())
        order = {"source": str(file), "language": case.language, "problem": str(problem), "size": size}
        done = subprocess.run(
            [sys.executable, str(HERE / "plain.py"), json.dumps(order), device.partition(":")[2] or "0"],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return float(json.loads(lines[-1])["seconds"]) if lines else None
