"""Fixtures of a judge session; registered only when there is something to judge, so that no other project sees them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from kernelbot_core.interfaces.runner import Runner
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.items import ORDER
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report

RUNNER: pytest.StashKey[Runner] = pytest.StashKey()
REPORT: pytest.StashKey[Report] = pytest.StashKey()


@pytest.fixture(scope="session")
def kernelbot_judge(pytestconfig: pytest.Config) -> Iterator[JudgeSession]:
    """The judge, with its processes started."""
    session = JudgeSession(pytestconfig.stash[ORDER], pytestconfig.stash[RUNNER])
    try:
        yield session
    finally:
        session.close()
        pytestconfig.stash[REPORT] = session.report()


@pytest.fixture(scope="session")
def problem(kernelbot_judge: JudgeSession) -> Problem:
    """The pack's problem.toml, read."""
    return kernelbot_judge.problem


class SubmissionProxy:
    """The submission, for a pack's own tests: calls go to the worker, this process never sees its code."""

    def __init__(self, session: JudgeSession) -> None:
        self._session = session

    def call(self, dtype: str, dims: dict[str, int], inputs: Sequence[Any]) -> list[Any]:
        """Call solve on given inputs and return private copies of the outputs.

        :param dtype: Dtype label of the grid.
        :param dims: Value of every dimension.
        :param inputs: Tensors in the order, shapes and dtypes of the signature; on any device.

        A dtype that this job is not about, or that the submission does not offer, skips the test.
        """
        session = self._session
        asked, offered = session.job.selection.dtypes, session.build().build.dtypes
        if (asked and dtype not in asked) or (offered is not None and dtype not in offered):
            pytest.skip(f"{dtype} is no part of this job")
        worker = session.submission(dtype)
        buffers = worker.prepare(dtype, dims)
        place = secrets.randbelow(len(buffers.sets))
        masters = [tensor.to(session.device.torch_device).contiguous() for tensor in inputs]
        sample = session.caller(worker).open_call(Draw.given(masters), place)
        return [output.clone() for output in sample.outputs]


@pytest.fixture
def submission(kernelbot_judge: JudgeSession) -> SubmissionProxy:
    """A proxy of the submission."""
    if kernelbot_judge.recorder.failed():
        pytest.skip("not reached: a case failed before")
    if not kernelbot_judge.order.runs:
        pytest.skip("built code cannot run on this device")
    return SubmissionProxy(kernelbot_judge)
