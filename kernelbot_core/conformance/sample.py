"""A problem that no pack is needed for: ``out = a + b`` in two ranked sizes, and reports and entries about it."""

from __future__ import annotations

from typing import Any

import msgspec

from kernelbot_core.model.build import BuildOrder
from kernelbot_core.model.entry import Entry, Result, Run
from kernelbot_core.model.problem import Cell, Problem, ProblemFile
from kernelbot_core.model.report import CaseResult, Report, Seeds, Stats

SIZES = {"small": 1024, "large": 65536}
_FILE: dict[str, Any] = {
    "format": 1,
    "title": "Sum of two vectors",
    "summary": "out = a + b",
    "area": "elementwise",
    "difficulty": "intro",
    "signature": {
        "dims": ["n"],
        "inputs": [{"name": "a", "dtype": "T", "shape": ["n"]}, {"name": "b", "dtype": "T", "shape": ["n"]}],
        "outputs": [{"name": "out", "dtype": "T", "shape": ["n"]}],
        "scalars": [{"name": "n", "dtype": "int64", "value": "n"}],
    },
    "grid": {"dtypes": [{"name": "fp32", "T": "fp32"}], "sizes": {name: {"n": n} for name, n in SIZES.items()}},
    "inputs": {"seed": 1},
    "tolerance": {"rule": "elementwise"},
    "work": {"bytes": "3 * n * sizeof(T)", "flops": "n"},
}


def problem() -> Problem:
    """The problem; its folder does not exist, nothing of it can be run."""
    binding = {"T": "fp32"}
    cells = [
        Cell(size=size, dtype="fp32", dims={"n": n}, binding=binding, ranked=True, devices=["cpu", "gpu"],
             bytes=12 * n, flops=n)
        for size, n in SIZES.items()
    ]  # fmt: skip
    file = msgspec.convert(_FILE, ProblemFile)
    return Problem(name="conformance", path="", version="0" * 64, file=file, bindings={"fp32": binding}, cells=cells)


def build_order(language: type, source: str, target: str) -> BuildOrder:
    """The order to build a file ``source`` for :func:`problem`."""
    made = problem()
    return BuildOrder(
        language=f"{language.__module__}:{language.__qualname__}", source=source, problem=made.name,
        signature=made.signature, bindings=made.bindings, wanted=list(made.bindings), target=target,
    )  # fmt: skip


def report(report_id: str, times: dict[str, float]) -> Report:
    """A passed report with these medians (size -> seconds)."""
    cases = [
        CaseResult(id=f"bench[{size}-fp32]", kind="bench", status="passed", size=size, dtype="fp32", stats=_stats(time))
        for size, time in times.items()
    ]
    return Report(
        id=report_id, mode="ranked", status="passed", reason="every case passed", problem="conformance",
        problem_version="0" * 64, harness="0", language="any", device="cpu", gpu="cpu", sandbox="none",
        guarantees=["filesystem", "kill_all", "memory", "network"],
        seed=Seeds(public=1, secret="00"), source="1" * 64, cases=cases,
    )  # fmt: skip


def _stats(time: float) -> Stats:
    return Stats(
        n=50, median=time, mean=time, std=0.0, min=time, p50=time, p99=time, ci95=(time, time), resolution=0.001
    )


def run(report_id: str, times: dict[str, float]) -> Run:
    """One run with these medians (size -> seconds), resolved to 0.1 %."""
    results = [
        Result(size=size, dtype="fp32", median=time, p99=time * 1.1, resolution=0.001, baseline=1e-3)
        for size, time in times.items()
    ]
    return Run(report=report_id, at="2026-01-01T00:00:00+00:00", results=results)


def entry(entry_id: str, user: str, *, gpu: str = "cpu", runs: list[Run] | None = None, day: int = 1) -> Entry:
    """An entry of ``user`` handed in on that day of January."""
    return Entry(
        id=entry_id, problem="conformance", problem_version="0" * 64, protocol=1, gpu=gpu, language="any", user=user,
        artifact=entry_id * 2, source="1" * 64, filename="kernel.any", lines=10, sandbox="none", attested=True,
        submitted=f"2026-01-{day:02}T00:00:00+00:00", runs=runs or [],
    )  # fmt: skip
