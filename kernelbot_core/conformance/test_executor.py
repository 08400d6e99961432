"""Executors: what can be known without running a job."""

from __future__ import annotations

from kernelbot_core.interfaces.executor import Executor


def test_available_gives_a_reason(executor: Executor) -> None:
    """What is missing is named together with what helps."""
    here = executor.available()
    assert here.ok or (here.why and here.fix)


def test_capacity(executor: Executor) -> None:
    """At least one job at a time when it can take any."""
    if executor.available().ok:
        assert executor.capacity() >= 1
