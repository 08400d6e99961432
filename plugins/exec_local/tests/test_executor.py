"""One job per device at a time, and who waits is told so."""

from __future__ import annotations

import tempfile
import threading
from types import SimpleNamespace

import pytest

from kernelbot_exec_local import _executor

JOB, OTHER = SimpleNamespace(device="cuda:0"), SimpleNamespace(device="cpu")
LONG = 30


@pytest.fixture
def executor(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return _executor.LocalExecutor()


def phases(events):
    return [event.phase for event in events]


def test_a_job_runs_at_once_where_nobody_else_does(executor, monkeypatch):
    monkeypatch.setattr(_executor, "run_job_here", lambda job, on_event: "a report")
    heard = []
    assert [executor.run(JOB, heard.append) for _ in range(2)] == ["a report"] * 2
    assert phases(heard) == ["start", "start"]


def test_the_second_job_on_a_device_waits_and_says_so(executor, monkeypatch):
    inside, may_end, told = threading.Event(), threading.Event(), threading.Event()
    running, order = [], []

    def judge(job, on_event):
        running.append(job.device)
        assert running.count(job.device) == 1
        inside.set()
        assert may_end.wait(LONG)
        running.remove(job.device)
        order.append(job.device)
        return "a report"

    def hear(event):
        heard.append(event)
        told.set()

    monkeypatch.setattr(_executor, "run_job_here", judge)
    heard = []
    first = threading.Thread(target=executor.run, args=(JOB, lambda event: None))
    first.start()
    assert inside.wait(LONG)
    second = threading.Thread(target=executor.run, args=(JOB, hear))
    second.start()
    assert told.wait(LONG)
    assert phases(heard) == ["queued"]
    may_end.set()
    first.join(LONG)
    second.join(LONG)
    assert phases(heard) == ["queued", "start"]
    assert order == ["cuda:0", "cuda:0"]


def test_another_device_does_not_wait(executor, monkeypatch):
    heard = []

    def judge(job, on_event):
        return executor.run(OTHER, heard.append) if job is JOB else "a report"

    monkeypatch.setattr(_executor, "run_job_here", judge)
    assert executor.run(JOB, lambda event: None) == "a report"
    assert phases(heard) == ["start"]


def test_a_job_that_fails_gives_the_device_back(executor, monkeypatch):
    def judge(job, on_event):
        raise RuntimeError("a bug")

    monkeypatch.setattr(_executor, "run_job_here", judge)
    heard = []
    for _ in range(2):
        with pytest.raises(RuntimeError, match="a bug"):
            executor.run(JOB, heard.append)
    assert phases(heard) == ["start", "start"]
