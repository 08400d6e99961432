"""Whatever a worker sends ends in a verdict, never in an exception of another kind, a hang, or an unbounded read."""

import os
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelbot_core import CaseFailure, Exit, Kind
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.model.message import SIZE, Flag, Message
from kernelbot_core.testing import ScriptedRunner, honest


def link_to(script, **kwargs):
    runner = ScriptedRunner(script, **kwargs)
    link = WorkerLink(runner, runner.spawn("submission"), -1)
    return runner, link


def ask(script, **kwargs):
    _, link = link_to(script, **kwargs)
    try:
        link.expect(Kind.HELLO, bytes(16), 5)
        call = os.urandom(16)
        link.send(Kind.LOAD, call_id=call)
        return link.expect(Kind.DONE, call, 5)
    finally:
        link.close()


def on_load(*answers):
    return lambda message: honest(message) if message.kind is Kind.HELLO else [a(message) for a in answers]


def test_honest_worker():
    assert ask(honest)[0] == 1e-6


@pytest.mark.parametrize(
    ("answers", "status", "text"),
    [
        ([lambda m: b"x"], "protocol", "1 bytes"),
        ([lambda m: b"\0" * SIZE], "protocol", "not in the format"),
        ([lambda m: Message(kind=Kind.DONE, id=b"z" * 16)], "protocol", "not open"),
        ([lambda m: Message(kind=Kind.QUEUED, id=m.id)], "protocol", "QUEUED instead of DONE"),
        ([lambda m: Message(kind=Kind.RAISED, id=m.id)], "crashed", "raised"),
        ([lambda m: Message(kind=Kind.RAISED, id=m.id, flags=Flag.OUT_OF_MEMORY)], "out_of_memory", None),
        ([lambda m: Message(kind=Kind.RAISED, id=m.id, flags=Flag.BAD_RESULT)], "wrong", None),
        ([lambda m: b"y" * (SIZE * 4)], "protocol", "bytes"),
    ],
)
def test_lying_worker(answers, status, text):
    with pytest.raises(CaseFailure, match=text) as caught:
        ask(on_load(*answers))
    assert caught.value.status == status


@pytest.mark.parametrize(
    ("ended", "status"),
    [
        (Exit(code=0), "crashed"),
        (Exit(code=None, signal=11), "crashed"),
        (Exit(code=None, killed="memory"), "out_of_memory"),
        (Exit(code=None, killed="timeout"), "timeout"),
        (None, "protocol"),
    ],
)
def test_worker_that_hangs_up(ended, status):
    with pytest.raises(CaseFailure) as caught:
        ask(on_load(lambda m: None), ended=ended)
    assert caught.value.status == status


def test_a_worker_that_takes_no_message_off_its_socket_does_not_hold_the_judge(monkeypatch):
    monkeypatch.setattr("kernelbot_core.judge.link.SEND_S", 0.05)
    read, never = threading.Event(), threading.Event()

    def script(message):
        read.set()
        never.wait(60)
        return []

    def fill():
        for _ in range(100_000):
            link.send(Kind.DROP, call_id=os.urandom(16))

    runner, link = link_to(script)
    try:
        assert read.wait(5)
        with pytest.raises(CaseFailure) as caught:
            fill()
        assert caught.value.status == "protocol"
        assert "left messages unread" in caught.value.reason
        assert runner.killed
    finally:
        never.set()
        link.close()


def test_silent_worker_is_a_timeout_and_is_killed():
    runner, link = link_to(lambda m: [])
    with pytest.raises(CaseFailure) as caught:
        link.expect(Kind.HELLO, bytes(16), 0.05)
    assert caught.value.status == "timeout"
    assert runner.killed == ["no answer within 0.05 s"]
    assert not link.alive


def test_second_answer_is_noticed():
    _, link = link_to(on_load(*[lambda m: Message(kind=Kind.DONE, id=m.id)] * 2))
    link.expect(Kind.HELLO, bytes(16), 5)
    call = os.urandom(16)
    link.send(Kind.LOAD, call_id=call)
    link.expect(Kind.DONE, call, 5)
    with pytest.raises(CaseFailure, match="out of turn"):  # noqa: PT012 - it comes when it comes
        for _ in range(1000):
            link.check_alive()
            time.sleep(0.001)


def test_late_queued_is_accepted_once():
    _, link = link_to(lambda m: honest(m) if m.kind is not Kind.CALL else [])
    link.expect(Kind.HELLO, bytes(16), 5)
    call = os.urandom(16)
    link.send(Kind.CALL, call_id=call)
    assert link.queued(call, 0.01) is False
    link.send(Kind.GO, call_id=call)
    assert link.expect(Kind.DONE, call, 5)[0] == 1e-6
    link.close()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=2 * SIZE), max_size=4))
def test_any_bytes_end_in_a_verdict(packets):
    answers = [lambda m, p=p: p for p in packets if p]
    with pytest.raises(CaseFailure) as caught:
        ask(on_load(*answers, lambda m: None), ended=Exit(code=1))
    assert caught.value.status in ("protocol", "crashed")


@given(
    st.binary(min_size=16, max_size=16), st.sampled_from(list(Kind)), st.integers(0, 2**32 - 1),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=16), st.lists(st.floats(), max_size=4),
)  # fmt: skip
def test_message_survives_the_wire(call_id, kind, cell, dims, scalars):
    sent = Message(kind=kind, id=call_id, cell=cell, dims=tuple(dims), scalars=tuple(scalars))
    got = Message.unpack(sent.pack())
    assert len(sent.pack()) == SIZE
    assert (got.kind, got.id, got.cell) == (kind, call_id, cell)
    assert got.dims[: len(dims)] == tuple(dims)
