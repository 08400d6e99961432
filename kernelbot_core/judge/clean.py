"""Calls of the baseline before any code of the submission is loaded: what the harness costs when nobody meddles."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.draws import Draws
from kernelbot_core.judge.need import kept
from kernelbot_core.judge.quiet import QUIET_BELOW, WHOLE
from kernelbot_core.judge.worker import prepare_both
from kernelbot_core.model.problem import Cell

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

OPEN_CALLS = 3
WARM_UP = 3
CALLS, QUIET_CALLS = 24, 48
NULL_EVERY = 4
FEWEST = 6
SECONDS = 0.3
"""Large cells make fewer calls instead of taking longer."""


@dataclass
class Clean:
    """What one cell gave, seconds. D is T - E."""

    E: list[float] = field(default_factory=list)
    D: list[float] = field(default_factory=list)
    nulls: list[float] = field(default_factory=list)
    """T of calls of nothing."""
    reveals: list[float] = field(default_factory=list)
    """Reveal and flush."""
    quiet: list[float] = field(default_factory=list)
    """T of quiet calls; empty where they are not asked for, or do not work."""
    E_quiet: list[float] = field(default_factory=list)
    """E of timed calls of the same."""
    stand_in: bool = False
    """The baseline takes too long for quiet calls, and stand-ins in its process are made instead."""


class CleanCalls:
    """Those of all cells of a session."""

    def __init__(self) -> None:
        self._found: dict[str, Clean] = {}

    def __bool__(self) -> bool:
        """Whether any have been made."""
        return bool(self._found)

    def get(self, cell: Cell) -> Clean | None:
        """What a cell gave; None where the judge's own clock ranks."""
        return self._found.get(cell.name)

    def take(self, session: JudgeSession, cell: Cell) -> Clean:
        """Measure a cell, with the baseline's worker as it is now, and what the submission's, beside it, shows there.

        :raises InfrastructureError: The baseline failed, which is nobody's fault who hands something in.
        """
        with _ours(session):
            found = _calls(session, cell)
        self._found[cell.name] = found
        session.level([cell])
        return found


def measure_clean(session: JudgeSession) -> None:
    """Calls in every cell that will be timed, while no code of the submission is loaded anywhere."""
    if session.by_events and session.timed_cells():
        session.idle()
        for cell in session.timed_cells():
            session.clean.take(session, cell)
        session.drop_buffers()


def measure_again(session: JudgeSession, cell: Cell) -> None:
    """For new processes, in a cell and those after it: what the last ones showed says nothing about them."""
    cells = session.timed_cells()
    for one in reversed(cells[[other.name for other in cells].index(cell.name) :]):
        session.clean.take(session, one)


def _calls(session: JudgeSession, cell: Cell) -> Clean:
    """As in a block: another process calls in between, inputs are new, and copies are kept, as far as there is room.

    Without that D of 424 us was 1 to 2 us shorter here. Verified in open calls, where nobody can meddle.
    """
    own = _Calls(session, cell)
    warm = [own.timed().T for _ in range(WARM_UP)]
    own.short, found = statistics.median(warm) < QUIET_BELOW, Clean()

    def step(number: int) -> None:
        sample = own.timed()
        found.E.append(sample.E)
        found.D.append(sample.T - sample.E)
        found.reveals += [] if sample.reveal is None else [sample.reveal]
        if number % NULL_EVERY == 0:
            found.nulls.append(own.null())

    _within(SECONDS, CALLS, step)
    if session.order.quiet:
        found.stand_in = not own.short and own.short_stand_in()
        if own.short or found.stand_in:
            found.E_quiet = own.stand_ins() if found.stand_in else found.E
            found.quiet = own.quiet(instead=found.stand_in)
    return found


class _Calls:
    """Of the baseline's process, with the submission's, which has loaded nothing yet, beside it."""

    def __init__(self, session: JudgeSession, cell: Cell) -> None:
        self._draws = Draws(session, f"clean[{cell.name}]", cell)
        baseline, other = session.baseline(cell.dtype), session.unloaded()
        prepare_both(other, baseline, cell.dtype, cell.dims)
        self._caller, self._partner = session.caller(baseline), session.caller(other)
        self._room = kept(session.problem, cell.dtype, cell.dims, session.device)
        self._kept: list[list[Any]] = []
        self.short = False
        """Short enough for the other process's calls in between to matter."""
        for number in range(OPEN_CALLS):
            draw = self._draws.next()
            sample = self._caller.open_call(draw, self._caller.place())
            if number == 0 and not session.oracle.check(cell.dtype, cell.dims, draw, sample.outputs).ok:
                raise InfrastructureError(f"the baseline of {session.problem.name} is wrong at {cell.name}")

    def timed(self) -> Sample:
        """A timed call."""
        if self.short:
            self._partner.stand_in()
        draw = self._draws.next()
        return self._keep(draw, self._caller.gated_call(draw, self._caller.place()))

    def null(self) -> float:
        """T of a call of nothing."""
        return self._caller.gated_call(None, self._caller.place()).T

    def short_stand_in(self) -> bool:
        """Whether a stand-in is short enough for quiet calls; what surrounds a call below 2 ms is the same for all."""
        return statistics.median(self._caller.stand_in().T for _ in range(WARM_UP)) < QUIET_BELOW

    def stand_ins(self) -> list[float]:
        """E of timed ones."""
        times = []
        for _ in range(CALLS):
            self._partner.stand_in()
            times.append(self._caller.stand_in().E)
        return times

    def quiet(self, *, instead: bool) -> list[float]:
        """T of quiet calls; none where the device goes over to the judge while a process still has work.

        :param instead: Of stand-ins.
        """
        samples = []
        for _ in range(QUIET_CALLS):
            self._partner.stand_in(timed=False)
            if instead:
                samples.append(self._caller.stand_in(timed=False))
                continue
            draw = self._draws.next()
            samples.append(self._keep(draw, self._caller.gated_call(draw, self._caller.place(), timed=False)))
        found = [sample.T for sample in samples if sample.whole]
        return found if len(found) >= WHOLE * QUIET_CALLS else []

    def _keep(self, draw: Draw, sample: Sample) -> Sample:
        self._room -= draw.nbytes + sum(output.nbytes for output in sample.outputs)
        if self._room > 0:
            self._kept.append([draw, *(output.clone() for output in sample.outputs)])
        return sample


@contextlib.contextmanager
def _ours(session: JudgeSession) -> Iterator[None]:
    try:
        yield
    except CaseFailure as failure:
        raise InfrastructureError(
            f"the baseline of {session.problem.name} failed before the submission was loaded: {failure.reason}",
            f"hold the pack against itself: kernelbot pack check {session.problem.path}",
        ) from failure


def _within(seconds: float, times: int, step: Callable[[int], None]) -> None:
    """Repeat as often as the time allows, and a few times in any case."""
    ends = time.monotonic() + seconds
    for number in range(times):
        if number >= FEWEST and time.monotonic() > ends:
            return
        step(number)
