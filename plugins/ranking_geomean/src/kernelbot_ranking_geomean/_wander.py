"""How far apart whole runs of the same code lie on a board's device."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from kernelbot_ranking_geomean._cells import Line

FEWEST = 3
"""Users below whom nothing is said."""
MAD_TO_SIGMA = 1.4826
SIGMAS = 2.0
MOST = 0.25
"""Two runs that lie further apart are never called alike: with names enough somebody could make the scatter as wide as
they like. On busy processors it was 10 to 20 %."""


def wander(lines: Sequence[Line]) -> float:
    """Relative difference of two runs that is no difference of kernels; 0 where too little is known.

    The baseline is the same code in every run. With sigma the scatter of the logarithm of its time from run to run, two
    runs of one kernel differ by less than ``2 sqrt(2) sigma`` in 19 of 20 cases. Sigma comes from the median absolute
    deviation over users: whoever slows the baseline down beside their own kernel moves nothing alone.

    :param lines: One for each user.
    """
    known = [math.log(line.baseline) for line in lines if line.baseline]
    if len(known) < FEWEST:
        return 0.0
    middle = statistics.median(known)
    sigma = MAD_TO_SIGMA * statistics.median(abs(one - middle) for one in known)
    return min(math.expm1(SIGMAS * math.sqrt(2) * sigma), MOST)
