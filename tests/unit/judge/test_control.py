"""A block whose submission claims other times in its warm-up than in what is measured."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kernelbot_core.errors import CaseFailure
from kernelbot_core.judge import bench
from kernelbot_core.judge.bench import Block, Effort
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.quiet import PAIRS

HARNESS = 300e-6


class Ours:
    """The submission's caller: claims one time after the other, and the last one for ever."""

    def __init__(self, claims):
        self.claims = list(claims)

    def place(self):
        return 0

    def gated_call(self, _draw, _place, *, timed):
        claim = self.claims.pop(0) if len(self.claims) > 1 else self.claims[0]
        return Sample(T=HARNESS + claim, E=claim, outputs=[])


class Theirs:
    """The baseline's, whose calls take 50 us; remembers how long its controls are."""

    def __init__(self):
        self.controls = []

    def place(self):
        return 0

    def gated_call(self, _draw, _place, *, seconds=0.0, timed=True):
        self.controls += [seconds] if seconds else []
        return Sample(T=HARNESS + (seconds or 50e-6), E=seconds or 50e-6, outputs=[])

    def stand_in(self, *, timed=True):
        return Sample(T=HARNESS + 7e-6, E=7e-6, outputs=[])


@pytest.fixture
def run():
    """``run(claims)``: the block, measured with two calls of warm-up and six pairs."""

    def measure(claims, *, quiet=False, stand_ins=False, shared=False, pairs=6, drawn=None):
        drawn = [] if drawn is None else drawn
        block = Block.__new__(Block)
        block.session = SimpleNamespace(by_events=True, job=SimpleNamespace(limits=SimpleNamespace(call_s=1.0)))
        block.verifier = SimpleNamespace(add=lambda *_: None, finish=lambda: None)
        draws = SimpleNamespace(next=lambda: drawn.append("a draw") or "a draw")
        block.draws, block.shared, block.control = draws, shared, 0.0
        block.submission, block.baseline, block.quiet, block.level = Ours(claims), Theirs(), quiet, None
        block._stand_ins = stand_ins
        block._start_over()
        block.run(Effort(0, 2, pairs))
        return block

    return measure


def test_an_honest_long_kernel_has_a_control_and_is_measured_once(run):
    block = run([5e-3])
    assert set(block.baseline.controls) == {5e-3}
    assert block.order == "SCR0RCSSCRRCSSCRRCS"
    assert len(block.S.E) == len(block.C.E) == 6


def test_what_is_claimed_in_the_warm_up_only_is_no_control(run):
    block = run([17e-3, 17e-3, 50e-6])
    assert block.control == 0
    assert block.beside is block.R
    assert block.order == "SR0RSSRRSSRRS"
    assert block.S.E == [50e-6] * 6


def test_claims_that_change_again_are_refused(run):
    with pytest.raises(CaseFailure, match="changes from look to look") as caught:
        run([17e-3] * 2 + [50e-6] * 6 + [17e-3])
    assert caught.value.status == "not_attested"


@pytest.mark.parametrize("claims", [[5e-3], [17e-3, 17e-3, 50e-6], [50e-6, 50e-6, 17e-3]])
def test_nothing_that_is_claimed_does_away_with_quiet_calls(run, claims):
    block = run(claims, quiet=True)
    assert len(block.quiet_S.T) == len(block.quiet_R.T) == PAIRS
    assert len(block.S.E) == 6
    assert block.pair(50e-6).quiet is not None


@pytest.fixture
def wall(monkeypatch):
    """A clock that calls move: 0.1 s for the baseline's, 0.01 s for the submission's."""
    now = [0.0]

    def slower(kind, seconds):
        call = kind.gated_call

        def moved(*given, **named):
            now[0] += seconds
            return call(*given, **named)

        monkeypatch.setattr(kind, "gated_call", moved)

    slower(Ours, 0.01)
    slower(Theirs, 0.1)
    monkeypatch.setattr(bench.time, "monotonic", lambda: now[0])


@pytest.mark.parametrize(("quiet", "stand_ins", "pairs"), [(False, False, 18), (True, False, 9), (True, True, 16)])
def test_stand_ins_take_no_more_of_the_time_than_they_need(run, wall, quiet, stand_ins, pairs):
    block = run([50e-6], quiet=quiet, stand_ins=stand_ins, pairs=50)
    assert len(block.S.E) == pairs


@pytest.mark.parametrize(("shared", "stand_ins", "drawn"), [(False, False, 49), (True, True, 56), (True, False, 97)])
def test_stand_ins_need_no_inputs(run, shared, stand_ins, drawn):
    """Those of a large cell, which has one buffer set for both sides, take longer to draw than the stand-in."""
    made = []
    run([50e-6], quiet=True, stand_ins=stand_ins, shared=shared, drawn=made)
    assert len(made) == drawn


def test_where_clean_quiet_calls_were_stand_ins_those_of_the_block_are(run):
    block = run([50e-6], quiet=True, stand_ins=True)
    quiet = block.pair(50e-6).quiet
    assert quiet.theirs == [HARNESS + 7e-6] * PAIRS
    assert quiet.baseline == [7e-6] * 24
    assert block.order.startswith("SR"), "timed calls stay the baseline's own"
