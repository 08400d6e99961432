"""``kernelbot selftest``: the judge's own path, with the same code as submission and baseline, in several sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kernelbot_core.engine.run import Listener, judge_file
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Measure
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings

CLOCK = Path(__file__).with_name("clock")
MATMUL_SIZES = ("small", "medium")
MATMUL_DTYPE = "fp16"
MEASURE = Measure(instances=1, refuse=False)


def run_sessions(
    registry: Registry,
    sessions: int,
    *,
    device: str,
    gpu: bool,
    settings: Settings,
    begun: Callable[[int], None],
    on_event: Listener | None = None,
) -> Iterator[list[Report]]:
    """The reports of each session, in fresh processes every time.

    :param begun: Told the number of each session, from 1 on.
    :raises InfrastructureError: A session did not end well, or the device is not free.
    """
    for number in range(1, sessions + 1):
        begun(number)
        reports = []
        for problem, file, sizes, dtypes in _jobs(registry, gpu=gpu):
            report = judge_file(
                registry, problem, file, settings=settings, device=device, sizes=sizes, dtypes=dtypes,
                measure=MEASURE, on_event=on_event,
            )  # fmt: skip
            if report.status != "passed":
                raise InfrastructureError(
                    f"session {number}: the baseline of {problem.name} as a submission ended with {report.status}: "
                    f"{report.reason}",
                    "see `kernelbot doctor`, and run it again when nobody else uses the device",
                )
            reports.append(report)
        yield reports


def _jobs(registry: Registry, *, gpu: bool) -> Iterator[tuple[Problem, Path, tuple[str, ...], tuple[str, ...]]]:
    """Copies and spins; on a GPU a matrix product too, where the pack is installed."""
    yield load_problem(CLOCK), CLOCK / "submission.py", (), ()
    for folder in find_problems(registry.pack_sources) if gpu else ():
        sample = folder / "samples" / "right" / "torch_matmul.py"
        if folder.name == "matmul" and sample.is_file():
            yield load_problem(folder), sample, MATMUL_SIZES, (MATMUL_DTYPE,)
