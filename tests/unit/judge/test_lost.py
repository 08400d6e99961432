"""Whose fault is it when a process is gone? What the machine lost is never held against a submission."""

import pytest

from kernelbot_core import CaseFailure, Exit, Kind
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.testing import ScriptedRunner

KILLED = Exit(code=None, signal=9)
LOST = Exit(code=None, killed="supervisor died", lost=True)


def goes(message):
    return [None]


@pytest.mark.parametrize(
    ("ended", "ours", "status"),
    [
        (KILLED, False, "crashed"),
        (KILLED, True, "infrastructure"),
        (LOST, False, "infrastructure"),
        (LOST, True, "infrastructure"),
        (Exit(code=None, killed="memory"), True, "out_of_memory"),  # the submission may have left it none
    ],
)
def test_death(ended, ours, status):
    runner = ScriptedRunner(goes, ended=ended)
    link = WorkerLink(runner, runner.spawn("submission"), -1, ours=ours)
    with pytest.raises(CaseFailure) as raised:
        link.expect(Kind.HELLO, bytes(16), 5)
    link.close()
    assert raised.value.status == status
