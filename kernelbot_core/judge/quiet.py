"""What the judge's clock says in calls that nobody else times. Times in seconds.

What ends a timed call takes 2 to 4 us on an H200: the event behind it, and the flag. Work on a stream of its own that
nobody waits for overlaps with them, and a call that leaves its work there is over earlier by the judge's clock too. A
quiet call has no events around it. With S the submission and R the baseline, pair i being two neighbours in time::

    excess = median(T_S,i - T_R,i) - (median(E_S) - median(E_R))

T from quiet calls, E from the timed ones between them: what one process gains in the calls that it times itself must
show in those that only the judge times. That R's quiet calls were made longer is looked at as for the timed ones.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from kernelbot_core.judge.estimate import Estimate, by_median, no_wider


@dataclass(frozen=True)
class Quiet:
    """Of one process: T of its quiet calls and of the baseline's beside them, E of the timed ones."""

    ours: Sequence[float]
    theirs: Sequence[float]
    claims: Sequence[float]
    baseline: Sequence[float]


@dataclass(frozen=True)
class CleanQuiet:
    """The baseline before any code of the submission was loaded."""

    T: Sequence[float]
    """Of quiet calls."""
    E: Sequence[float]
    """Of timed ones."""


def hidden(quiet: Quiet, clean: CleanQuiet) -> Estimate:
    """The excess of one process."""
    pairs = [s - r for s, r in zip(quiet.ours, quiet.theirs, strict=True)]
    apart = no_wider(by_median(pairs), len(pairs), clean.T, parts=2)
    claimed = no_wider(by_median(quiet.claims), len(quiet.claims), clean.E)
    theirs = by_median(quiet.baseline)
    rise = (statistics.median(quiet.theirs) - theirs.value) - (statistics.median(clean.T) - statistics.median(clean.E))
    return Estimate(
        apart.value - (claimed.value - theirs.value) + max(rise, 0.0),
        math.hypot(apart.error, claimed.error, theirs.error),
    )
