"""By how much a process's D differs from the baseline's before any code of the submission is loaded in it. Seconds.

On an H200 what surrounds a call, D = T - E, differs from process to process by 1 to 3 us, whatever code they run, and
stays within 0.1 us as long as a process lives, new buffers included. So a process of the submission makes a few calls
of the judge's own first, on buffers of the cell that it will measure, in turns with the baseline's process: a stand-in
that reads the inputs and writes the outputs, for D of calls of nothing says little about D of calls that do something.
What is found here is taken off the excess.

Of a short kernel's further processes it is found while the first one lives, with the submission in it, which might
compute meanwhile. It cannot know whose call it disturbs: it can make what is found scatter, and move it by luck. So
what scatters, or lies far from what the first process showed when nobody could disturb it, counts as not known.
"""

from __future__ import annotations

import dataclasses
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.estimate import Estimate, by_median
from kernelbot_core.judge.quiet import WHOLE
from kernelbot_core.judge.worker import WorkerHandle, prepare_both
from kernelbot_core.model.problem import Cell

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

WARM_UP, CALLS = 2, 24
TWICE = 0.5
"""Share of the quiet calls behind which the same process makes another, so that whose turn it is cannot be counted."""
LEVEL_BELOW = 1e-3
"""Seconds of a baseline above which there is a level only where the stand-in is known to be short. It may take twice as
long as the baseline, and what takes longer than the slice of time that the device gives a process has another D
altogether: by 0.3 to 1 ms."""
S_T_OPEN = 1.4e-6
"""s_T where nothing is known of what a process shows by itself: up to 1.42 us on one H200. What is known with a larger
error than that says nothing."""
APART = 5e-6
"""Seconds by which what two processes show may differ, before somebody must have disturbed one."""


@dataclass(frozen=True)
class Level:
    """What one process shows in one cell before it has loaded anything."""

    timed: Estimate
    """Of T - E, less the baseline's."""
    quiet: Estimate | None = None
    """Of T of quiet calls less E of timed ones, less the same of the baseline."""


def take_levels(
    session: JudgeSession, worker: WorkerHandle, cells: Sequence[Cell], beside: WorkerHandle | None = None
) -> None:
    """Measure a process that has loaded nothing yet, in every cell that needs it.

    :param beside: A process that has loaded the submission and may live.
    :raises CaseFailure: It has died.
    """
    for cell in cells:
        clean = session.clean.get(cell)
        known = clean is not None and (clean.stand_in or statistics.median(clean.E) < LEVEL_BELOW)
        if clean is not None and known and cell.name not in worker.levels:
            found = _level(session, worker, cell, quiet=bool(clean.quiet))
            usual = beside.levels.get(cell.name) if beside is not None else found
            worker.levels[cell.name] = undisturbed(found, usual)


def undisturbed(found: Level, usual: Level | None) -> Level | None:
    """What can be believed of a level.

    :param usual: Of the same cell, by a process that nobody could disturb; ``found`` itself where nobody could.
    """
    if usual is None or not _sound(found.timed, usual.timed):
        return None
    sound = found.quiet is not None and usual.quiet is not None and _sound(found.quiet, usual.quiet)
    return found if sound else dataclasses.replace(found, quiet=None)


def _sound(found: Estimate, usual: Estimate) -> bool:
    return found.error <= S_T_OPEN and abs(found.value - usual.value) <= APART


class _Side:
    """The stand-in's calls of one process."""

    def __init__(self, session: JudgeSession, worker: WorkerHandle) -> None:
        limit = session.job.limits.call_s
        self._caller = Caller(session.device, worker, limit, limit, trusted=True)
        self.E: list[float] = []
        self.D: list[float] = []
        self.quiet: list[float] = []
        """T of quiet calls."""

    def call(self) -> None:
        """A timed one."""
        sample = self._caller.stand_in()
        self.E.append(sample.E)
        self.D.append(sample.T - sample.E)

    def quiet_call(self) -> None:
        """A quiet one; now and then another behind it, which does not count."""
        sample = self._caller.stand_in(timed=False)
        self.quiet += [sample.T] if sample.whole else []
        if random.random() < TWICE:
            self._caller.stand_in(timed=False)

    def warm(self) -> None:
        """What has been made does not count."""
        self.E, self.D, self.quiet = [], [], []


def _level(session: JudgeSession, worker: WorkerHandle, cell: Cell, *, quiet: bool) -> Level:
    baseline = session.baseline(cell.dtype)
    prepare_both(worker, baseline, cell.dtype, cell.dims)
    ours, theirs = _Side(session, worker), _Side(session, baseline)
    for number in range(WARM_UP + CALLS):
        if number == WARM_UP:
            ours.warm()
            theirs.warm()
        for side in random.sample((ours, theirs), 2):  # nobody can know whose call it is that they disturb
            side.call()
    timed = _apart(ours.D, theirs.D)
    return Level(timed, _level_quiet(ours, theirs) if quiet else None)


def _level_quiet(ours: _Side, theirs: _Side) -> Estimate | None:
    """None where too many of them say nothing. Each has a call of the other process before it, as in a block."""
    turn = random.sample((ours, theirs), 2)
    for number in range(1 + CALLS):
        for side in turn:
            side.quiet_call()
        if number == 0:
            ours.quiet, theirs.quiet = [], []
    if min(len(ours.quiet), len(theirs.quiet)) < WHOLE * CALLS:
        return None
    beyond, own = _apart(ours.quiet, theirs.quiet), _apart(ours.E, theirs.E)
    return beyond.less(own)


def _apart(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    one, other = by_median(ours), by_median(theirs)
    return Estimate(one.value - other.value, math.hypot(one.error, other.error))
