"""Calls that last as long as the submission claims and then write the outputs: what surrounds a call grows with both.

The copy of 256 MiB of outputs takes 7 us longer on an H200 when they have just been written, of 2 GiB 27 us.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

ALIKE = math.log(1.5)
LONG = 2e-3
"""Seconds from which on the length of a call shows around it."""
LONGEST_CONTROL = 10.0
"""Seconds; a claim beyond it is refused for other reasons."""


def control_for(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Seconds of a control that lasts as long as the submission claims, 0 when the baseline does.

    What surrounds a call grows with its length: by some 20 us at 5 ms, 70 at 17 ms, 170 at 130 ms on an H200. Below
    2 ms it does not, and the baseline, which does the same kind of work, says more than a control.
    """
    wanted, usual = _claimed(ours), statistics.median(theirs)
    return wanted if wanted and max(wanted, usual) > LONG and abs(math.log(wanted / usual)) > ALIKE else 0.0


def lasts_as_long(ours: Sequence[float], control: float, theirs: Sequence[float]) -> bool:
    """Whether the trusted calls last about as long as the measured ones claim, with room for those that scatter.

    :param control: Seconds of the control; 0 where the baseline's calls are the trusted ones.
    """
    wanted, usual = _claimed(ours), control or statistics.median(theirs)
    return not wanted or max(wanted, usual) <= LONG or abs(math.log(wanted / usual)) <= 2 * ALIKE


def _claimed(ours: Sequence[float]) -> float:
    """Median of the claims that can be held against a control; 0 without any."""
    return statistics.median([value for value in ours if 0 < value < LONGEST_CONTROL] or [0.0])
