"""What a process shows before it has loaded anything, and what of that can be believed. Times in us."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge import levels
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.clean import Clean, measure_again
from kernelbot_core.judge.estimate import Estimate
from kernelbot_core.judge.levels import APART, S_T_OPEN, Level, take_levels, undisturbed
from kernelbot_core.judge.session import JudgeSession

US = 1e-6
CELL = SimpleNamespace(name="cell", dtype="fp32", dims={})


class Calls:
    """Stand-in calls of 10 us around which lie 300 us, and what is said here."""

    def __init__(self, noise, more, disturbed):
        self.noise, self.more, self.disturbed = noise, more, disturbed

    def stand_in(self, *, timed=True):
        around = 300 + self.more + self.noise.gauss(0, 0.4) + self.disturbed()
        return Sample((310 if timed else 307) * US + (around - 300) * US, 10 * US, [])


@pytest.fixture
def found(monkeypatch):
    """``found(more, disturbed)``: the level of a process around whose calls lies so much more."""

    def take(more, disturbed=lambda: 0.0, beside=None, seed=1):
        noise = random.Random(seed)
        random.seed(seed)
        worker, baseline = SimpleNamespace(levels={}), SimpleNamespace(levels={})
        monkeypatch.setattr(levels, "prepare_both", lambda *_: False)
        monkeypatch.setattr(
            levels, "Caller", lambda _device, of, *_, **__: Calls(noise, more if of is worker else 0.0, disturbed)
        )
        clean = SimpleNamespace(get=lambda _: Clean(E=[10 * US] * 6, quiet=[307 * US] * 6))
        job = SimpleNamespace(limits=SimpleNamespace(call_s=1.0))
        session = SimpleNamespace(clean=clean, device=None, job=job, baseline=lambda _: baseline)
        take_levels(session, worker, [CELL], beside)
        return worker.levels["cell"]

    return take


def first(timed=0.0, quiet=0.0):
    """A process that showed so much when nobody could disturb it."""
    return SimpleNamespace(levels={"cell": Level(Estimate(timed * US, 0.1 * US), Estimate(quiet * US, 0.1 * US))})


def test_by_how_much_a_process_differs_is_found(found):
    level = found(2.5)
    assert level.timed.value == pytest.approx(2.5 * US, abs=0.8 * US)
    assert level.quiet.value == pytest.approx(2.5 * US, abs=0.8 * US)
    assert found(2.5, beside=first()).timed == level.timed


def test_who_disturbs_whatever_call_it_is_neither_widens_nor_shifts_anything(found):
    """A level with an error of 20 us would let the same be hidden, and one that is off by 40 us twice that."""
    for seed in range(20):
        chance = random.Random(seed)
        level = found(1.0, lambda chance=chance: 100.0 * (chance.random() < 0.5), first(), seed)
        assert level is None or (level.timed.error <= S_T_OPEN and abs(level.timed.value) <= APART)
        assert level is None or level.quiet is None or level.quiet.error <= S_T_OPEN
    assert any(found(1.0, lambda: 100.0 * (random.random() < 0.5), first(), seed) is None for seed in range(5))


@pytest.mark.parametrize("timed", [True, False])
def test_whose_call_it_is_cannot_be_counted(found, monkeypatch, timed):
    """Who disturbs every other call disturbs both processes."""
    made = []

    def stand_in(self, *, timed=True):
        made.append((timed, self.more))
        return Sample(300 * US, 10 * US, [])

    monkeypatch.setattr(Calls, "stand_in", stand_in)
    for seed in range(10):
        made.clear()
        found(1.0, seed=seed)
        calls = [whose for kind, whose in made if kind is timed]
        ours = [whose > 0 for whose in calls[::2]]
        assert 0.1 < sum(ours) / len(ours) < 0.9


def test_a_process_is_held_against_what_the_first_one_shows():
    """What lies 9 us from the baseline's is believed where all processes show that: they wait at the gate otherwise."""
    level = Level(Estimate(9 * US, 0.1 * US), Estimate(8 * US, 0.1 * US))
    assert undisturbed(level, level) == level
    assert undisturbed(level, first(8.0, 7.0).levels["cell"]) == level
    assert undisturbed(level, first(0.0, 7.0).levels["cell"]) is None
    assert undisturbed(level, None) is None
    half = undisturbed(level, first(8.0, 0.0).levels["cell"])
    assert half.timed == level.timed
    assert half.quiet is None


def test_new_processes_are_looked_at_in_every_cell_that_is_still_to_come():
    cells = [SimpleNamespace(name=name) for name in "abc"]
    taken = []
    clean = SimpleNamespace(take=lambda _, cell: taken.append(cell.name))
    measure_again(SimpleNamespace(timed_cells=lambda: cells, clean=clean), cells[1])
    assert taken == ["c", "b"], "the one that is measured next has its buffers then"


@pytest.fixture
def session(monkeypatch):
    """A session whose stand-in calls get no answer, and the process that it takes next."""
    spare = SimpleNamespace(closed=False, loaded=set(), ready=lambda: None)
    spare.close = lambda: setattr(spare, "closed", True)
    made = JudgeSession.__new__(JudgeSession)
    made._workers = {"submission": spare}
    made.spares = SimpleNamespace(take=lambda: spare)

    def unanswered(*_, **__):
        raise CaseFailure("timeout", "no answer within 5 s")

    monkeypatch.setattr(made, "_cache", lambda: -1)
    monkeypatch.setattr("kernelbot_core.judge.session.take_levels", unanswered)
    return made, spare


def test_who_keeps_the_device_busy_while_another_process_is_looked_at_gets_no_further_attempt_for_it(session):
    made, spare = session
    with pytest.raises(CaseFailure, match="no answer") as caught, made.instance(CELL):
        pass
    assert caught.value.status == "timeout"
    assert spare.closed


def test_what_fails_before_the_submission_is_loaded_anywhere_is_nobody_s_fault(session):
    made, _ = session
    with pytest.raises(InfrastructureError, match="had loaded nothing yet"):
        made.level([CELL])
