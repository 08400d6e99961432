"""A judge session on the first NVIDIA GPU, driven step by step: the real worker, the real gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kernelbot_core.engine.accept import accept
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.worker import WorkerHandle, prepare_both
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import load_settings

DTYPE = "fp32"
CALL_S, FIRST_S = 2.0, 60.0


class Driven:
    """One session whose calls the test makes itself. The submission's worker is replaced when it has died."""

    def __init__(self, source: str) -> None:
        import problem_packs

        found = registry()
        problem = load_problem(Path(next(iter(problem_packs.__path__))) / "vector_add")
        job = accept(
            found, problem, source, "kernel.py", settings=load_settings(), lang="torch", device="cuda:0", mode="test"
        )
        self.folder = JobFolder(job.id)
        self.runner = JobRunner(found, job, self.folder, lambda _: None)
        self.session = JudgeSession(make_order(found, job), self.runner)
        self.session.build()
        self.device = self.session.device
        self.seed, self.open = 0, True
        self._baseline: WorkerHandle | None = None

    def caller(self, n: int) -> Caller:
        """Calls on vectors of ``n`` elements."""
        worker = self.session.submission(DTYPE)
        worker.prepare(DTYPE, {"n": n})
        return Caller(self.device, worker, CALL_S, FIRST_S)

    def callers(self, n: int) -> tuple[Caller, Caller, bool]:
        """Of the submission and of the baseline, prepared as for a timed cell; whether they map the same buffers."""
        submission, baseline = self.session.submission(DTYPE), self.baseline()
        shared = prepare_both(submission, baseline, DTYPE, {"n": n})
        return Caller(self.device, submission, CALL_S, FIRST_S), self.session.caller(baseline), shared

    def baseline(self) -> WorkerHandle:
        """The baseline's worker, which a session in test mode does not start by itself."""
        if self._baseline is None:
            self._baseline = WorkerHandle(self.runner, self.device, self.session.problem, "baseline")
            self._baseline.load(DTYPE, FIRST_S)
        return self._baseline

    def draw(self, n: int) -> Draw:
        """Fresh inputs."""
        self.seed += 1
        return self.session.oracle.draw(DTYPE, {"n": n}, self.seed)

    def close(self) -> None:
        """End everything, once: a test may do it before its module does."""
        if not self.open:
            return
        self.open = False
        if self._baseline is not None:
            self._baseline.close()
        self.session.close()
        self.runner.close()
        self.folder.close()


@pytest.fixture(scope="session")
def needs_gpu() -> None:
    """Skip, with the vendor's own reason, where there is no NVIDIA GPU."""
    here = registry().devices["nvidia"].available()
    if not here.ok:
        pytest.skip(here.why)


@pytest.fixture(scope="module")
def drive(needs_gpu: None) -> Iterator[Callable[[str], Driven]]:
    """``drive(source)`` opens a session; closed at the end of the module."""
    opened: list[Driven] = []

    def start(source: str) -> Driven:
        opened.append(Driven(source))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
