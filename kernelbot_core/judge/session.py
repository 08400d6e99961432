"""One judge session: device, workers, oracle, seeds, and what is known so far."""

from __future__ import annotations

import importlib
import os
import time
from pathlib import Path
from typing import Any

from kernelbot_core.errors import CaseFailure
from kernelbot_core.interfaces.device import JudgeDevice
from kernelbot_core.interfaces.runner import Artifact, Runner
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.judge.record import Recorder
from kernelbot_core.judge.seeds import SeedSource
from kernelbot_core.judge.worker import WorkerHandle, load_failure
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import Report
from kernelbot_core.packs.code import load_code

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
        module, _, name = order.judge_device.partition(":")
        if order.runs:
            device_class: type[JudgeDevice] = getattr(importlib.import_module(module), name)
            self.device = device_class(order.index)
            self.memory = self.device.memory_free()
            self._spawn("submission")
            if self._needs_baseline():
                self._spawn("baseline")
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
                raise CaseFailure("build_failed", self.artifact.build.text.strip().splitlines()[0][:300])
        return self.artifact

    def submission(self, label: str) -> WorkerHandle:
        """The submission's worker with the dtype loaded, a new one if the last has died. Raises CaseFailure."""
        worker = self._workers.get("submission")
        if worker is None or not worker.alive:
            if worker is not None:
                worker.close()
            self._restarts += 1
            worker = self._spawn("submission")
        try:
            worker.load(label, self.job.limits.build_s)
        except CaseFailure as failure:
            raise load_failure(failure) from None
        return worker

    def baseline(self, label: str) -> WorkerHandle:
        """The worker that runs the pack's baseline and calls of nothing."""
        worker = self._workers["baseline"]
        worker.load(label, self.job.limits.build_s)
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
        worker = self._workers.get("submission")
        return worker.link.text if worker else ""

    def worn_out(self) -> bool:
        """The submission's process has died too often, or has hung, and is not started again."""
        worker = self._workers.get("submission")
        if worker is None or worker.alive:
            return False
        return self._restarts >= MAX_RESTARTS or self.recorder.hung()

    def out_of_time(self) -> bool:
        """The job's limit is used up."""
        return time.monotonic() - self.began > self.order.deadline_s

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
        for worker in self._workers.values():
            worker.close()
        os.close(self._builder.pidfd)
        if self.order.runs:
            self.device.close()

    def environment(self) -> dict[str, Any]:
        """What the judge knows about itself, for the report."""
        found: dict[str, Any] = {"judge_pid_cores": len(os.sched_getaffinity(0))}
        if self.order.runs:
            found |= self.device.environment()
        return found

    def _spawn(self, role: Any) -> WorkerHandle:
        self._workers[role] = WorkerHandle(self.runner, self.device, self.problem, role)
        return self._workers[role]

    def _needs_baseline(self) -> bool:
        return any(case.kind == "bench" and not case.skip for case in self.order.cases)
