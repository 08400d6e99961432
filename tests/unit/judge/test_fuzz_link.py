"""A worker that says anything, in any order, at any step of the judge: a verdict, and nothing else.

No thread plays the worker here: its packets lie in the socket before the judge takes a step, so that a failing example
is found again and shrinks.
"""

import contextlib
import math
import os
import socket
import statistics
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kernelbot_core import CaseFailure, Exit, Kind
from kernelbot_core.interfaces.runner import Spawned
from kernelbot_core.judge import link as link_module
from kernelbot_core.judge.attest import attest
from kernelbot_core.judge.call import believable
from kernelbot_core.judge.evidence import Evidence, Pair
from kernelbot_core.judge.link import WorkerLink
from kernelbot_core.judge.stats import combine
from kernelbot_core.model.message import SIZE, Flag, Message
from kernelbot_core.testing import ScriptedRunner
from kernelbot_core.worker import text

VERDICTS = {"protocol", "crashed", "timeout", "wrong", "out_of_memory", "infrastructure"}
"""The last for a worker that ends before it was asked to load anything: nothing of the submission's had run."""
OTHER = b"somebody elses!!"
PEAK = 4 << 20
"""Bytes; what the worker can make the judge hold is a text of 64 KiB and one packet."""


class Peer:
    """A runner with one worker, whose end of the socket the test holds."""

    def __init__(self, ended):
        self.ended, self.killed = ended, []
        self.ours, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.theirs.setblocking(False)
        self.pidfd, self._alive = os.pipe()
        self.link = WorkerLink(self, Spawned(0, self.pidfd, self.ours), -1)
        self.open = os.urandom(16)

    def exit(self, number, timeout):
        return self.ended

    def kill(self, number, why):
        self.killed.append(why)
        return Exit(code=None, signal=9, killed=why)

    def do(self, act):
        """One thing that the worker does."""
        what, value = act
        with contextlib.suppress(OSError):  # a full or closed socket is the worker's own trouble
            match what:
                case "bytes":
                    self.theirs.send(value)
                case "message":
                    kind, mine, flags, cell, dims, scalars = value
                    call_id = self.open if mine else OTHER
                    sent = Message(kind=kind, id=call_id, flags=flags, cell=cell, dims=dims, scalars=scalars)
                    self.theirs.send(sent.pack())
                case "descriptors":
                    socket.send_fds(self.theirs, [Message(kind=Kind.DONE, id=self.open).pack()], [0] * value)
                case "text":
                    if self.link.alive:
                        self.link._text[1][: len(value)] = value
                case "hangs up":
                    self.theirs.close()
                case "dies":
                    os.close(self._alive)
                    self._alive = -1

    def close(self):
        self.link.close()
        self.theirs.close()
        if self._alive >= 0:
            os.close(self._alive)


messages = st.tuples(
    st.sampled_from(list(Kind)),
    st.sampled_from([True, True, False]),
    st.integers(0, 2**32 - 1) | st.sampled_from([0, Flag.BAD_RESULT, Flag.OUT_OF_MEMORY]),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=16).map(tuple),
    st.lists(st.floats(), max_size=4).map(tuple),
)
acts = st.one_of(
    st.tuples(st.just("message"), messages),
    st.tuples(st.just("bytes"), st.binary(max_size=2 * SIZE)),
    st.tuples(st.just("bytes"), st.just(b"\0" * (64 * SIZE))),
    st.tuples(st.just("descriptors"), st.integers(1, 100)),
    st.tuples(st.just("text"), st.binary(min_size=4, max_size=400)),
    st.tuples(st.just("text"), st.just(b"\xff" * text.TEXT_SIZE)),
    st.sampled_from([("hangs up", None), ("dies", None)]),
)
STEPS = {
    "expect done": lambda p: p.link.expect(Kind.DONE, p.open, 0.002),
    "expect queued": lambda p: p.link.expect(Kind.QUEUED, p.open, 0.002),
    "queued": lambda p: p.link.queued(p.open, 0.002),
    "peek": lambda p: p.link.peek(),
    "call": lambda p: p.link.send(Kind.CALL, call_id=p.open),
    "alive": lambda p: p.link.check_alive(),
    "failure": lambda p: p.link.expect_failure(p.open),
    "text": lambda p: p.link.text,
}
endings = st.sampled_from(
    [None, Exit(code=0), Exit(code=3), Exit(code=None, signal=11), Exit(code=None, killed="pids")]
)


def failure_of(step, peer):
    """The verdict that a step ends in, or None."""
    try:
        step(peer)
    except CaseFailure as failure:
        return failure
    return None


def open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.lists(acts, max_size=4), st.sampled_from(sorted(STEPS))), max_size=8), endings)
def test_anything_at_any_step(monkeypatch, script, ended):
    monkeypatch.setattr(link_module, "GRACE_S", 0.0)
    before = open_descriptors()
    peer = Peer(ended)
    try:
        for doings, step in script:
            for act in doings:
                peer.do(act)
            if not peer.link.alive:
                break
            failure = failure_of(STEPS[step], peer)
            if failure is not None:
                assert failure.status in VERDICTS
                assert str(failure)
                assert "\n" not in str(failure)
    finally:
        peer.close()
    assert open_descriptors() == before


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 400), st.binary(max_size=SIZE))
def test_a_flood_costs_the_judge_nothing(monkeypatch, count, packet):
    monkeypatch.setattr(link_module, "GRACE_S", 0.0)
    peer = Peer(None)
    tracemalloc.start()
    try:
        for _ in range(count):
            peer.do(("bytes", packet * 8))
        with pytest.raises(CaseFailure) as caught:
            peer.link.expect(Kind.DONE, peer.open, 0.01)
        assert caught.value.status in ("protocol", "timeout", "crashed")
        assert tracemalloc.get_traced_memory()[1] < PEAK
    finally:
        tracemalloc.stop()
        peer.close()


@pytest.mark.parametrize("flags", [0, Flag.BAD_RESULT, Flag.OUT_OF_MEMORY])
def test_an_exception_of_a_page_makes_a_reason_of_a_line(flags):
    peer = Peer(None)
    try:
        text.write(peer.link._text[1], "word " * 12_000)
        peer.do(("message", (Kind.RAISED, True, flags, 0, (), ())))
        with pytest.raises(CaseFailure) as caught:
            peer.link.expect(Kind.DONE, peer.open, 1)
        assert 200 < len(str(caught.value)) < 400
    finally:
        peer.close()


@pytest.mark.parametrize(
    "said", ["", "\n \n", "\u202e", "\x1c\u2028\ufeff", '  File "k.py", line 3\n    raise Odd\n\u2066']
)
def test_an_exception_that_shows_nothing_is_called_one(said):
    assert link_module._exception(said) == "an exception"


@pytest.mark.parametrize(("flags", "voice"), [(0, "raised"), (Flag.BAD_RESULT, "says:"), (Flag.OUT_OF_MEMORY, "says:")])
def test_words_of_the_submission_are_told_as_its_own(flags, voice):
    peer = Peer(None)
    try:
        said = 'Traceback:\n  File "k.py", line 3\n    raise Odd\n[PASSED]\tRANK 1\r\x1b[2J on cpu\nand a second line'
        text.write(peer.link._text[1], said)
        peer.do(("message", (Kind.RAISED, True, flags, 0, (), ())))
        with pytest.raises(CaseFailure) as caught:
            peer.link.expect(Kind.DONE, peer.open, 1)
        reason = str(caught.value)
        assert reason.startswith(f"the submission {voice} [PASSED] RANK 1")
        assert reason.endswith("and a second line"), "the message is of two lines, and told whole"
        assert reason.isprintable()
    finally:
        peer.close()


@settings(max_examples=200, deadline=None)
@given(st.floats() | st.floats(1e-13, 1e7))
def test_a_claimed_time_is_one_that_a_call_can_have_taken_or_nothing(claimed):
    own = believable(claimed)
    assert own == claimed if 1e-12 <= claimed <= 1e6 else math.isnan(own)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0) | st.floats(1e-12, 1e6) | st.sampled_from([1e-12, 1e-9]), min_size=6, max_size=6))
@example([1e-12] * 3 + [1e-9] * 3)
def test_whatever_is_claimed_can_be_held_against_the_judges_clock(claims):
    """And published: a report has no numbers that are not finite."""
    own = [1e-6 if math.isnan(one) else one for one in map(believable, claims)]
    pair = Pair([300e-6 - one for one in own], [300e-6] * len(own), statistics.median(own))
    stats = combine([own, own], 32e-9)
    found = attest(stats.median, Evidence([pair], clean=[300e-6] * 24, nulls=[]))
    for part in (stats, found):
        assert msgspec.json.decode(msgspec.json.encode(part), type=type(part)) == part


@pytest.mark.parametrize("size", [0, 1, SIZE - 1, SIZE + 1, 64 * SIZE])
def test_a_packet_of_another_size(size):
    """An empty packet reads like the end of the connection: the judge must not take it for a death."""
    runner = ScriptedRunner(lambda message: [b"x" * size], ended=None)
    link = WorkerLink(runner, runner.spawn("submission"), -1)
    with pytest.raises(CaseFailure) as caught:
        link.expect(Kind.HELLO, bytes(16), 5)
    assert caught.value.status == "protocol"
    assert not link.alive
