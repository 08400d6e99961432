"""One cheat before both harnesses: alive in the naive one, and what the judge makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from . import ours
from .catalog import HERE, NO_GAIN, SUITE, Case, prelude
from .ours import Verdict

REPEATS_OF_A_GAIN = 3
"""A gain has to be seen this often in a row before it counts as one: two runs of one kernel differ by chance."""
ATTESTED = 0.5
"""What is left open beyond this share of the honest time attests nothing, and excuses nothing."""
OWN_KERNELS = {("cuda", "vector_add"): "plain.cu", ("triton", "vector_add"): "triton_fixed.py"}
LATE = {"context", "deferred", "events", "hog", "stream", "triton"}
"""Kinds that leave work to the time after the call, or leave out what ends it."""
LIVE = 0.9
"""Share of the honest time below which a cheat has gained in the naive harness."""


@dataclass(frozen=True)
class Naive:
    """What the naive harness said."""

    accepted: bool
    seconds: float | None
    honest: float | None
    """Its time for the honest kernel of the problem."""
    error: str = ""

    @property
    def gain(self) -> float | None:
        """Share of the honest time that it was made to believe had not passed."""
        return 1 - self.seconds / self.honest if self.accepted and self.seconds is not None and self.honest else None

    def lives(self, case: Case) -> bool:
        """Whether the cheat got what it wanted."""
        return self.accepted and (case.gain != "time" or (self.gain or 0) > 1 - LIVE)


class NaiveHarness:
    """The naive harness in a process of its own; one order at a time."""

    def __init__(self, device: str) -> None:
        self.device = "cpu" if device == "cpu" else "cuda"
        self._honest: dict[tuple[str, str], float | None] = {}
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "naive.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()

    def run(self, case: Case, constants: dict[str, object] | None = None) -> Naive | None:
        """What it says of a cheat; None where it has no such target."""
        if case.naive is None:
            return None
        said = self._ask(case.source(constants), case.path.suffix, case.problem, case.naive)
        return Naive(bool(said["correct"]), said["seconds"], self.honest(case.problem), said.get("error", ""))

    def honest(self, problem: str) -> float | None:
        """Seconds of the honest kernel."""
        if (problem, self.device) not in self._honest:
            source = f"{prelude(problem)}\n\ndef solve(*args):\n    honest(*args)\n"
            self._honest[problem, self.device] = self._ask(source, ".py", problem, {})["seconds"]
        return self._honest[problem, self.device]

    def _ask(self, source: str, suffix: str, problem: str, pattern: dict[str, str]) -> dict[str, Any]:
        file = Path(self._folder.name) / f"kernel{suffix}"
        file.write_text(source)
        order: dict[str, Any] = {"source": str(file), "problem": problem, "device": self.device, **pattern}
        for name, number in (("tolerance", float), ("settle", float), ("repeats", int), ("warm", int)):
            if name in order:
                order[name] = number(order[name])
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))


@dataclass
class Outcome:
    """What the judge made of a cheat, beside honest work in the same mode."""

    case: Case
    verdict: Verdict
    honest: Verdict | None = None
    """Set where the cheat was accepted in a timed mode."""
    gains: list[float] = field(default_factory=list)
    """Seconds gained over honest work beyond the published resolutions, one value for each repetition."""

    @property
    def expected(self) -> frozenset[str]:
        """What the file promises under the sandbox in force."""
        return self.case.walls if self.verdict.walled else self.case.expect

    @property
    def said(self) -> str:
        """Status, or ``no_gain`` or ``GAIN`` for what was accepted."""
        if self.verdict.status != "passed" or self.case.mode == "test":
            return self.verdict.status
        return "GAIN" if self.advantage > self.excused else NO_GAIN

    @property
    def advantage(self) -> float:
        """Undetected advantage in seconds: the smallest gain of the repetitions; 0 for what was refused."""
        return max(min(self.gains, default=0.0), 0.0)

    @property
    def excused(self) -> float:
        """Seconds of an advantage that the published attestation leaves open, beside the cell's resolution."""
        honest = self.honest.seconds if self.honest else None
        left_open = self.verdict.left_open if self.case.kind in LATE else self.verdict.tol
        return left_open if honest and left_open <= ATTESTED * honest else 0.0

    @property
    def ok(self) -> bool:
        """As promised."""
        return self.said in self.expected


class Judge:
    """The judge on one device, with the honest times it needs."""

    def __init__(self, device: str) -> None:
        self.device = device
        self._honest: dict[tuple[str, str], Verdict] = {}

    def run(self, case: Case, constants: dict[str, object] | None = None) -> Outcome:
        """Judge; an accepted cheat is held against honest work, and again while it seems to gain."""
        outcome = Outcome(case, self._judge(case, case.source(constants)))
        while outcome.verdict.seconds is not None and len(outcome.gains) < REPEATS_OF_A_GAIN:
            outcome.honest = self._honest_verdict(case, again=bool(outcome.gains))
            outcome.gains.append(gain(outcome.verdict, outcome.honest))
            if outcome.gains[-1] <= 0 or len(outcome.gains) == REPEATS_OF_A_GAIN:
                break
            outcome.verdict = self._judge(case, case.source(constants))
        return outcome

    def _judge(self, case: Case, source: str) -> Verdict:
        return self._verdict(source, f"kernel{case.path.suffix}", case)

    def _honest_verdict(self, case: Case, *, again: bool) -> Verdict:
        name, source = honest_source(case)
        key = (name + case.problem, case.mode + case.size)
        if again or key not in self._honest:
            self._honest[key] = self._verdict(source, name, case)
        return self._honest[key]

    def _verdict(self, source: str, name: str, case: Case) -> Verdict:
        return ours.judge(source, name, case.problem, device=self.device, mode=case.mode, size=case.size)


def honest_source(case: Case) -> tuple[str, str]:
    """File name and text of honest work that a cheat is held against: the same kernel where it writes its own."""
    own = OWN_KERNELS.get((case.language, case.problem))
    if own is not None:
        return own, (SUITE / "honest" / own).read_text()
    text = f"#!kernelbot language torch\n{prelude(case.problem)}\n\ndef solve(*args):\n    honest(*args)\n"
    return "kernel.py", text


def gain(cheat: Verdict, honest: Verdict) -> float:
    """Seconds by which a cheat's score is better than honest work, less what the two resolutions leave open.

    At most 0 when nothing can be told apart.
    """
    if cheat.seconds is None or honest.seconds is None:
        return 0.0
    open_ = cheat.resolution * cheat.seconds + honest.resolution * honest.seconds
    return honest.seconds - cheat.seconds - open_


def selected(cases: Iterable[Case], device: str, *, quick_only: bool = False) -> Iterator[Case]:
    """Those that can run on a device; its kind is what stands before the colon."""
    kind = "cpu" if device == "cpu" else "gpu"
    for case in cases:
        if kind in case.devices and (case.quick or not quick_only):
            yield case
