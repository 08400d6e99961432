"""What the judge's clock says in calls that nobody else times. Times in seconds.

What ends a timed call takes 2 to 4 us on an H200: the event behind it, and the flag. Work on a stream of its own that
nobody waits for overlaps with them, and a call that leaves its work there is over earlier by the judge's clock too. A
quiet call has no events around it, and its flag is raised at the gate, beside the work and not behind it: the judge's
copies wait for nothing but the device, which goes over to the judge when the process has nothing left to do. What is
left on whichever stream is in T, and there is nothing behind the work to overlap with. That the copies held everything
is looked at afterwards; a call in which they did not says nothing.

With S the submission and R the baseline, whose calls take turns::

    excess = median(T_S) - median(T_R) - (median(E_S) - median(E_R))

T from quiet calls, E from the timed ones between them: what one process gains in the calls that it times itself must
show in those that only the judge times. The process is told which those are; to be slower in them gains nothing. That
R's quiet calls were made longer is looked at as for the timed ones.

Errors come from the half below the median alone: a submission can make its calls, and R's, longer and not shorter. Its
claims can swing as they like, so that their error counts up to that of its T.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernelbot_core.judge.estimate import SIGMAS, Estimate, below, by_lower_half, by_median

QUIET_BELOW = 1e-3
"""Seconds above which the few microseconds do not matter that quiet calls are about. A device gives each process a
slice of time, of some milliseconds, after which it would go over whatever is left."""
WIDER = 1.2
"""Times s_T: how widely the excess of quiet calls scatters beside its own error: by 0.59 us where that of timed ones
does by 0.49 (0.70 with an error of 0.38, 27 cells on two H200)."""
BIAS = 2e-6
"""Seconds by which quiet calls of honest kernels may say too much, whatever the number of processes: of the shortest
ones by 1.2 us (1 Ki), at most by 2.05; of those that are of another kind than the baseline, as a matrix product by hand
beside one of cuBLAS, by 1.1 us (17 cells), at most by 2.02 (benchmarks/quiet_table.py). Why is not known."""
ALIKE = (20e-6, 100e-6)
"""Seconds between which kernels that move bytes show less: 0.5 us, at most 0.84 (5 cells, each of five processes)."""
PAIRS = 40
"""Of each process, or as many as of timed calls: half of them would leave an error of 0.4 us."""
WHOLE = 0.75
"""Share of the quiet calls whose copies have to hold everything."""


@dataclass(frozen=True)
class Quiet:
    """Of one process: T of its quiet calls and of the baseline's among them, E of the timed ones."""

    ours: Sequence[float]
    theirs: Sequence[float]
    claims: Sequence[float]
    baseline: Sequence[float]
    before: Sequence[float] = ()
    """Reveal and flush before the submission's quiet calls."""
    made: int = 0
    """How many of each there were; those whose copies did not hold everything are not among the times."""

    @property
    def torn(self) -> bool:
        """Too many of them say nothing."""
        return min(len(self.ours), len(self.theirs)) < WHOLE * self.made


@dataclass(frozen=True)
class CleanQuiet:
    """The baseline before any code of the submission was loaded."""

    T: Sequence[float]
    """Of quiet calls."""
    E: Sequence[float]
    """Of timed ones."""


def bias(claimed: float, *, alike: bool) -> float:
    """What quiet calls may say too much, seconds.

    :param claimed: The time that would be published, seconds.
    :param alike: Kernels of the problem move bytes, and are of one kind.
    """
    return 0.0 if alike and ALIKE[0] <= claimed < ALIKE[1] else BIAS


def hidden(quiet: Quiet, clean: CleanQuiet) -> Estimate:
    """The excess of one process.

    Where the baseline's calls have risen it is held against the clean ones alone, and how those scatter that somebody
    has made longer says nothing.
    """
    ours, theirs = by_lower_half(quiet.ours), by_lower_half(quiet.theirs)
    claimed, reference = by_median(quiet.claims), by_lower_half(quiet.baseline)
    before, usual = by_median(clean.T), by_median(clean.E)
    around, at_first = theirs.value - reference.value, before.value - usual.value
    scatter = math.hypot(ours.error, min(claimed.error, ours.error))
    errors = [min(scatter, below(quiet.ours) / SIGMAS), before.error, usual.error]
    errors += [] if around > at_first else [theirs.error, reference.error]
    return Estimate(ours.value - claimed.value - min(around, at_first), math.hypot(*errors))
