"""Figures of the submission's own: whatever is no time is dropped, and whatever breaks costs the figure only."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from kernelbot_core import CaseFailure
from kernelbot_core.judge import unattested as module
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.judge.unattested import ask, unattested
from kernelbot_core.model.message import Flag, Kind, Loop, Message
from kernelbot_core.testing import ScriptedRunner, honest


@pytest.fixture
def worker():
    links = []

    def make(answer):
        runner = ScriptedRunner(lambda m: answer(m) if m.kind is Kind.LOOP else honest(m))
        links.append(WorkerLink(runner, runner.spawn("submission"), -1))
        links[-1].expect(Kind.HELLO, bytes(16), 5)
        return SimpleNamespace(link=links[-1])

    yield make
    for link in links:
        link.close()


def done(value):
    return lambda m: [Message(kind=Kind.DONE, id=m.id, scalars=(value,))]


def raised(message):
    return [Message(kind=Kind.RAISED, id=message.id, flags=Flag.OUT_OF_MEMORY)]


def test_a_time_is_taken_and_the_mode_is_said(worker):
    seen = []
    assert ask(worker(lambda m: seen.append(m.flags) or done(5e-5)(m)), Loop.WALL, 5) == 5e-5
    assert seen == [Loop.WALL]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.0, -1.0, 1e9])
def test_what_is_no_time_is_dropped(worker, value):
    assert ask(worker(done(value)), Loop.DO_BENCH, 5) is None


@pytest.mark.parametrize("answer", [raised, lambda m: [None], lambda m: [b"nonsense"], lambda m: []])
def test_what_breaks_costs_the_figures_and_the_process(worker, monkeypatch, answer):
    monkeypatch.setattr(module, "LIMIT_S", 0.2)
    monkeypatch.setattr("kernelbot_core.judge.link.GRACE_S", 0.1)
    broken, replaced = worker(answer), []
    device = SimpleNamespace(ranks_on="T")
    session = SimpleNamespace(loops=True, device=device, replace=replaced.append)
    assert unattested(session, SimpleNamespace(), broken, 1e-6) is None
    assert replaced == [broken]
    assert not session.loops
    assert unattested(session, SimpleNamespace(), broken, 1e-6) is None
    assert replaced == [broken], "it is not asked again"


def test_a_failure_is_a_verdict_for_nobody_else(worker):
    with pytest.raises(CaseFailure):
        ask(worker(raised), Loop.DO_BENCH, 5)
