"""One judge session: device, workers, oracle, seeds, and what is known so far."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.interfaces.device import JudgeDevice
from kernelbot_core.interfaces.runner import Artifact, Role, Runner, Spawned
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.clean import CleanCalls
from kernelbot_core.judge.heavy import import_heavy
from kernelbot_core.judge.instances import Spares
from kernelbot_core.judge.levels import take_levels
from kernelbot_core.judge.need import need
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.judge.record import Recorder
from kernelbot_core.judge.seeds import SeedSource
from kernelbot_core.judge.worker import WorkerHandle, load_failure
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import Report
from kernelbot_core.packs.code import load_code
from kernelbot_core.text import one_line

MAX_RESTARTS = 2
HARD_CALL_FACTOR = 2


class JudgeSession:
    """Lives as long as the pytest session. Starts the processes at once, so that their imports overlap."""

    def __init__(self, order: JudgeOrder, runner: Runner) -> None:
        self.order, self.job, self.problem, self.runner = order, order.job, order.job.problem, runner
        self.began = time.monotonic()
        self.recorder = Recorder(order)
        self.seeds = SeedSource(order.job)
        self.artifact: Artifact | None = None
        self.phases: dict[str, float] = {}
        self._restarts = 0
        self._closed = False
        self._peak: float | None = None
        self._builder = runner.spawn("builder")
        self._workers: dict[str, WorkerHandle] = {}
        self._latest: WorkerHandle | None = None
        self._frozen: tuple[Any, int] = (None, -1)
        self.spares = Spares(lambda: WorkerHandle(self.runner, self.device, self.problem, "submission"))
        self.clean = CleanCalls()
        self.loops = True
        """The submission's process may be asked for figures of its own; not again once that has broken it."""
        module, _, name = order.judge_device.partition(":")
        if order.runs:
            # Before the device, whose import takes seconds: so do theirs, at the same time.
            roles: list[Role] = ["submission", "baseline"] if self._needs_baseline() else ["submission"]
            spawned = {role: runner.spawn(role) for role in roles}
            device_class: type[JudgeDevice] = getattr(import_heavy(module), name)
            self.device = device_class(order.index)
            self.device.flush_by_writing = order.flush == "write"
            self.memory = self.device.memory_free()
            for role in roles:
                self._spawn(role, spawned[role])
            self.oracle = Oracle(self.problem, load_code(Path(self.problem.path)), self.device.torch_device)
        self.phases["start"] = time.monotonic() - self.began

    def build(self) -> Artifact:
        """Wait for the builder. Raises CaseFailure when the submission does not build."""
        if self.artifact is None:
            limit = self.job.limits.build_s
            ended = self.runner.exit(self._builder.number, limit)
            if ended is None:
                self.runner.kill(self._builder.number, "timeout")
                raise CaseFailure("timeout", f"the build took longer than {limit:g} s")
            self.artifact = self.runner.artifact()
            if not self.artifact.build.ok:
                raise CaseFailure("build_failed", one_line(self.artifact.build.why))
        return self.artifact

    def build_ended(self) -> bool:
        """The builder has ended, well or not."""
        return self.artifact is not None or self.runner.exit(self._builder.number, 0) is not None

    def submission(self, label: str) -> WorkerHandle:
        """The submission's worker with the dtype loaded, a new one if the last has died. Raises CaseFailure."""
        worker = self._workers.get("submission")
        if worker is None or not worker.alive:
            if worker is not None:
                worker.close()
            self._restarts += 1
            worker = self._spawn("submission")
        if not worker.loaded and not worker.levels and self.clean:  # a new one; else clean calls have seen to it
            self.idle()
            self.level(self.timed_cells())
            self.drop_buffers()
        return self._loaded(worker, label)

    @contextlib.contextmanager
    def instance(self, cell: Cell) -> Iterator[WorkerHandle]:
        """A fresh process of the submission's with the dtype loaded, which ends with the block. Raises CaseFailure."""
        cache, worker = self._cache(), self.spares.take()
        try:
            take_levels(self, worker, [cell], beside=self._workers["submission"])
            yield self._loaded(worker, cell.dtype, cache)
        finally:
            worker.close()

    def _cache(self) -> int:
        """What the first process has compiled up to the cell that it has prepared; further ones need not again."""
        first = self._workers["submission"]
        if first.alive and first.key is not None and first.key != self._frozen[0]:
            self._forget_cache()
            with contextlib.suppress(CaseFailure):  # then each compiles for itself
                self._frozen = (first.key, first.frozen())
        return self._frozen[1]

    def _forget_cache(self) -> None:
        if self._frozen[1] >= 0:
            os.close(self._frozen[1])
        self._frozen = (None, -1)

    def level(self, cells: Sequence[Cell]) -> None:
        """What the submission's process shows in some cells before it has loaded anything.

        While the submission is loaded nowhere, what that dies of is nobody's fault who hands something in.
        """
        try:
            take_levels(self, self.unloaded(), cells)
        except CaseFailure as failure:
            raise InfrastructureError(
                f"a process that had loaded nothing yet failed: {failure.reason}", "run it again"
            ) from failure

    def _loaded(self, worker: WorkerHandle, label: str, cache: int = -1) -> WorkerHandle:
        self._latest = worker
        try:
            worker.load(label, self.job.limits.build_s, cache)
        except CaseFailure as failure:
            raise load_failure(failure) from None
        return worker

    def replace(self, worker: WorkerHandle) -> None:
        """A new process in the place of one that failed at something that is not held against anybody."""
        worker.close()
        if self._workers.get("submission") is worker:
            self._spawn("submission")

    def end_submission(self) -> None:
        """End the process that ran the submission last: what it holds comes back."""
        if self._latest is not None:
            self._latest.link.close()

    def baseline(self, label: str) -> WorkerHandle:
        """The worker that runs the pack's baseline and calls of nothing."""
        worker = self._workers["baseline"]
        worker.load(label, self.job.limits.build_s)
        return worker

    def renew(self) -> None:
        """New processes for both sides; nothing of the submission is loaded in them yet."""
        roles: tuple[Role, ...] = ("submission", "baseline")
        for role in roles:
            self._workers[role].close()
            self._spawn(role)
        self.idle()

    def idle(self) -> None:
        """Wait until nothing starts any more: a process that starts would disturb whoever measures."""
        for worker in self._workers.values():
            worker.ready()
        self.spares.settle()

    @property
    def by_events(self) -> bool:
        """The ranked times are those of the submission's process, and have to be attested."""
        return self.order.runs and self.device.ranks_on == "E"

    def timed_cells(self) -> list[Cell]:
        """Cells that will be timed, in order."""
        planned = [case.cell for case in self.order.cases if case.kind == "bench" and not case.skip]
        return [cell for cell in planned if cell is not None and not self.too_large(cell)]

    def drop_buffers(self) -> None:
        """Give all buffers back; the next cell makes its own."""
        for worker in self._workers.values():
            worker.drop()

    def unloaded(self) -> WorkerHandle:
        """The submission's worker while it has loaded nothing."""
        worker = self._workers["submission"]
        worker.ready()
        assert not worker.loaded
        return worker

    def caller(self, worker: WorkerHandle) -> Caller:
        """Makes calls with the job's limits."""
        hard = self.job.limits.call_s * HARD_CALL_FACTOR
        return Caller(self.device, worker, hard, self.job.limits.build_s, trusted=worker.role == "baseline")

    def copy_peak(self) -> float:
        """Bytes/s of a plain copy on the device, measured once, before the first block that needs it."""
        if self._peak is None:
            self._peak = self.device.copy_peak()
        return self._peak

    def said(self) -> str:
        """Text that the submission's worker left: a traceback of the participant's code."""
        worker = self._latest or self._workers.get("submission")
        return worker.link.text if worker else ""

    def worn_out(self) -> bool:
        """The submission's process has died too often, or has hung, and is not started again."""
        worker = self._workers.get("submission")
        if worker is None or worker.alive:
            return False
        return self._restarts >= MAX_RESTARTS or self.recorder.hung()

    def too_large(self, cell: Cell) -> str:
        """Why a cell does not fit into the device, or ""."""
        needed = need(self.problem, cell.dtype, cell.dims, self.device)
        if needed.total <= self.memory:
            return ""
        return f"needs {needed}, {self.memory / 2**30:.1f} GiB are free"

    def share_used(self) -> float:
        """Share of the job's time that is over."""
        return (time.monotonic() - self.began) / self.order.deadline_s

    def out_of_time(self) -> bool:
        """The job's limit is used up."""
        return self.share_used() > 1

    def report(self) -> Report:
        """The report, once everything is over; the secret seed is revealed here."""
        self.phases["judge"] = time.monotonic() - self.began
        return self.recorder.report(
            self.seeds.reveal(), self.artifact, environment=self.environment(), timings=self.phases
        )

    def close(self) -> None:
        """End every process and give the device back; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self.spares.close()
        for worker in self._workers.values():
            worker.close()
        self._forget_cache()
        os.close(self._builder.pidfd)
        if self.order.runs:
            self.device.close()

    def environment(self) -> dict[str, Any]:
        """What the judge knows about itself, for the report."""
        found: dict[str, Any] = {"judge_pid_cores": len(os.sched_getaffinity(0))}
        if self.order.runs:
            found |= self.device.environment()
        return found

    def _spawn(self, role: Role, spawned: Spawned | None = None) -> WorkerHandle:
        self._workers[role] = WorkerHandle(self.runner, self.device, self.problem, role, spawned)
        return self._workers[role]

    def _needs_baseline(self) -> bool:
        return any(case.kind == "bench" and not case.skip for case in self.order.cases)
