"""Whose fault is it when a process is gone? What the machine lost is never held against a submission."""

import os
import socket

import pytest

from kernelbot_core import CaseFailure, Exit, Kind
from kernelbot_core.interfaces.runner import Spawned
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.testing import ScriptedRunner, honest

KILLED = Exit(code=None, signal=9)
LOST = Exit(code=None, killed="supervisor died", lost=True)


def end_of(script, ended, *, ours=False):
    runner = ScriptedRunner(script, ended=ended)
    link = WorkerLink(runner, runner.spawn("submission"), -1, ours=ours)
    try:
        link.expect(Kind.HELLO, bytes(16), 5)
        call = os.urandom(16)
        link.send(Kind.LOAD, call_id=call)
        link.expect(Kind.DONE, call, 5)
    except CaseFailure as failure:
        return failure.status
    finally:
        link.close()


def on_load(message):
    return honest(message) if message.kind is Kind.HELLO else [None]


def at_once(message):
    return [None]


@pytest.mark.parametrize(
    ("script", "ended", "ours", "status"),
    [
        (on_load, KILLED, False, "crashed"),
        (on_load, KILLED, True, "infrastructure"),
        (on_load, LOST, False, "infrastructure"),
        (at_once, KILLED, False, "infrastructure"),  # nothing of the submission's had run there
        (at_once, LOST, True, "infrastructure"),
        (at_once, Exit(code=None, killed="memory"), True, "out_of_memory"),  # the submission may have left it none
    ],
)
def test_whose_fault_a_death_is(script, ended, ours, status):
    assert end_of(script, ended, ours=ours) == status


def test_a_worker_that_died_before_it_was_greeted_is_heard_of_when_it_is_asked():
    """Not when the link is made: there is no case then that could have a verdict."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.close()
    read, write = os.pipe()
    os.close(write)
    runner = ScriptedRunner(ended=KILLED)
    link = WorkerLink(runner, Spawned(0, read, ours), -1)
    with pytest.raises(CaseFailure, match="had not loaded the submission") as raised:
        link.expect(Kind.HELLO, bytes(16), 5)
    assert raised.value.status == "infrastructure"
    assert not link.alive
