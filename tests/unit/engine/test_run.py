"""The choice of an executor, and who hears of a run."""

from __future__ import annotations

import dataclasses
import logging

import pytest

from kernelbot_core import hookimpl
from kernelbot_core.engine.run import judge_file, run_job
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.plugins import load_registry


@pytest.fixture
def judge(world, problem, kernel):
    def run(registry=None, **more):
        return judge_file(registry or world.registry, problem, kernel, device="cpu", **more)

    return run


def test_a_file_is_judged_and_events_are_passed_on(judge, world):
    heard = []
    report = judge(mode="test", on_event=heard.append)
    assert report.status == "passed"
    assert report.id == world.jobs[0].id
    assert [event.phase for event in heard] == ["build"] + ["correctness"] * 6


def test_no_executor(judge, world):
    with pytest.raises(InfrastructureError, match="scripted was chosen and is not there") as caught:
        judge(dataclasses.replace(world.registry, executors={}))
    assert "none" in caught.value.hint


def test_nobody_chooses(world, problem, kernel, judge):
    judge()
    registry = load_registry([], found=[])
    with pytest.raises(InfrastructureError, match="no executor takes the job"):
        run_job(registry, world.jobs[0])


def test_a_listener_that_raises_is_logged_and_the_others_hear(judge, world, caplog):
    heard = []

    class Bad:
        """Raises."""

        @hookimpl(tryfirst=True)
        def kernelbot_before_run(self):
            raise RuntimeError("not today")

    class Good:
        """Notes."""

        @hookimpl
        def kernelbot_before_run(self, job):
            heard.append(("before", job.id))

        @hookimpl
        def kernelbot_after_run(self, job, report):
            heard.append(("after", job.id, report.status))

    brings = next(p for p in world.registry.manager.get_plugins() if type(p).__name__ == "Plugin")
    registry = load_registry([brings, Bad(), Good()])
    with caplog.at_level(logging.ERROR):
        report = judge(registry)
    assert heard == [("before", report.id), ("after", report.id, "passed")]
    assert "not today" in caplog.text
