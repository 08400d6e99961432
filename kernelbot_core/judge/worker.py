"""One worker as the judge handles it: started, loaded, prepared for a cell, replaced when it has died."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from kernelbot_core.errors import CaseFailure
from kernelbot_core.interfaces.device import JudgeDevice
from kernelbot_core.interfaces.runner import Role, Runner, Spawned
from kernelbot_core.judge.buffers import CellBuffers, shared_by_both
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.memory import read_only_memfd, sealed_memfd, taken
from kernelbot_core.model.message import Kind
from kernelbot_core.model.problem import Problem

if TYPE_CHECKING:
    from kernelbot_core.judge.levels import Level

START_S = 120.0
"""Import of torch on a cold disk, and the device's context."""
SERVICE_S = 60.0
CACHE_CAP = 256 << 20
"""Bytes of compiled code that further processes of a job are given."""


class WorkerHandle:
    """The submission's worker (S) or the baseline's (R). Start-up overlaps with whatever the judge does meanwhile.

    :param spawned: Its process, where that runs already.
    """

    def __init__(
        self, runner: Runner, device: JudgeDevice, problem: Problem, role: Role, spawned: Spawned | None = None
    ) -> None:
        self.role: Role = role
        self._runner, self._device, self._problem = runner, device, problem
        self._labels = list(problem.bindings)
        self._up = False
        self.loaded: set[str] = set()
        self.levels: dict[str, Level | None] = {}
        """By the names of cells: measured before anything was loaded. None where it cannot be believed."""
        self.buffers: CellBuffers | None = None
        self.key: tuple[Any, ...] | None = None
        spawned = spawned or runner.spawn(role)
        self.link = WorkerLink(runner, spawned, device.control_fd(), ours=role == "baseline")

    @property
    def alive(self) -> bool:
        """Still usable."""
        return self.link.alive

    def ready(self) -> None:
        """Wait until it is up."""
        if not self._up:
            self.link.expect(Kind.HELLO, bytes(16), START_S)
            self._up = True

    def load(self, label: str, limit: float, cache: int = -1) -> None:
        """Load the artifact for a dtype label. Raises CaseFailure with the participant's own traceback.

        :param cache: What :meth:`frozen` of another worker has returned.
        """
        self.ready()
        if label in self.loaded:
            return
        self._ask(Kind.LOAD, limit, cell=self._labels.index(label), fds=[cache] if cache >= 0 else [])
        self.loaded.add(label)

    def frozen(self) -> int:
        """What the compilers of this worker have cached, in memory that nobody can write to; the caller closes it.

        Its bytes are the worker's and are not looked at here: they go to further workers of the same submission.
        Raises CaseFailure.
        """
        theirs = sealed_memfd("kernelbot-cache", CACHE_CAP)
        try:
            self._ask(Kind.FREEZE, SERVICE_S, fds=[theirs])
            return read_only_memfd("kernelbot-frozen", taken(theirs))
        finally:
            os.close(theirs)

    def prepare(self, label: str, dims: dict[str, int], shared_with: WorkerHandle | None = None) -> CellBuffers:
        """Have buffers for a cell, mapped by both sides.

        :param shared_with: Another worker that has them already; this one then maps the same.
        """
        key = (label, *dims.values())
        if self.buffers is None or self.key != key:
            self.drop()
            signature = self._problem.signature
            if shared_with is not None and shared_with.buffers is not None and shared_with.key == key:
                self.buffers = shared_with.buffers.join()
            else:
                self.buffers = CellBuffers(self._device, signature, dims, self._problem.bindings[label])
            self.key = key
            ordered = [dims[name] for name in signature.dims]
            self._ask(
                Kind.PREPARE,
                SERVICE_S,
                cell=self._labels.index(label),
                flags=len(self.buffers.sets),
                dims=ordered,
                fds=self.buffers.fds,
            )
        return self.buffers

    def shares(self, label: str, dims: dict[str, int]) -> bool:
        """Whether both workers map the same buffers for a cell."""
        signature, binding = self._problem.signature, self._problem.bindings[label]
        return shared_by_both(signature.nbytes(dims, binding), self._device)

    def drop(self) -> None:
        """Free the buffers on both sides."""
        if self.buffers is None:
            return
        buffers, self.buffers, self.key = self.buffers, None, None
        try:
            if self.alive:
                self._ask(Kind.DROP, SERVICE_S)
        finally:
            buffers.close()

    def close(self) -> None:
        """End it and free its buffers."""
        self.link.close()
        self.drop()

    def _ask(self, kind: Kind, limit: float, **fields: Any) -> None:
        call_id = os.urandom(16)
        self.link.send(kind, call_id=call_id, **fields)
        self.link.expect(Kind.DONE, call_id, limit)


def prepare_both(submission: WorkerHandle, baseline: WorkerHandle, label: str, dims: dict[str, int]) -> bool:
    """Have buffers for a cell in both workers. True when they are the same: no two calls may then share a draw."""
    if baseline.buffers is not submission.buffers or baseline.key != (label, *dims.values()):
        baseline.drop()  # first of all: the old buffers must be gone before there are new ones
    shared = submission.shares(label, dims)
    submission.prepare(label, dims)
    baseline.prepare(label, dims, submission if shared else None)
    return shared


def load_failure(failure: CaseFailure) -> CaseFailure:
    """What raises while it is being imported does not build; what dies there has crashed."""
    if failure.status == "crashed" and failure.reason.startswith("the submission raised"):
        return CaseFailure("build_failed", failure.reason.replace("raised", "cannot be imported:", 1))
    return failure
