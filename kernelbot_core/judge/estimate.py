"""Locations with their errors.

SE of a median: 1.2533 sigma / sqrt(n) for normal samples (Kenney and Keeping, Mathematics of Statistics, part 2), with
sigma = 1.4826 MAD, which a few calls that something interrupts do not move (Rousseeuw and Croux 1993). SE of a mean:
s / sqrt(n).

Both come from claims, and claims that swing widely, half of them up and half of them down, would widen the tolerance
around a median that is a lie. So the SE of the median counts only up to SPREAD times what clean calls give.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

SPREAD = 3.0
"""How many times wider than that of clean calls the spread of a submission's calls may be and still count as noise. On
an H200 it is at most twice as wide."""
MAD_TO_SIGMA = 1.4826
MEDIAN_SE = 1.2533
SIGMAS = 3.0
"""How many standard errors can be noise."""


@dataclass(frozen=True)
class Estimate:
    """A location and its standard error, seconds."""

    value: float
    error: float

    def less(self, other: Estimate) -> Estimate:
        """The difference of two independent ones."""
        return Estimate(self.value - other.value, math.hypot(self.error, other.error))


def by_median(samples: Sequence[float]) -> Estimate:
    """Median and its standard error, from the median absolute deviation."""
    middle = statistics.median(samples)
    deviation = statistics.median(abs(sample - middle) for sample in samples)
    return Estimate(middle, MEDIAN_SE * MAD_TO_SIGMA * deviation / math.sqrt(len(samples)))


def below(samples: Sequence[float]) -> float:
    """Median distance from the median of those that are no longer than it."""
    middle = statistics.median(samples)
    return statistics.median(middle - sample for sample in samples if sample <= middle)


def by_lower_half(samples: Sequence[float]) -> Estimate:
    """Median and its standard error, from the deviations of those below it: for what can be made longer at will.

    Whoever makes half of the samples longer moves the median by as much as the deviation grows. The error is never so
    large that what can be noise grows by more: with fewer than 31 samples it would be.
    """
    deviation = below(samples)
    error = MEDIAN_SE * MAD_TO_SIGMA * deviation / math.sqrt(len(samples))
    return Estimate(statistics.median(samples), min(error, deviation / SIGMAS))


def by_mean(samples: Sequence[float]) -> Estimate:
    """Mean and its standard error; a single sample has an infinite one."""
    spread = statistics.stdev(samples) if len(samples) > 1 else math.inf
    return Estimate(statistics.fmean(samples), spread / math.sqrt(len(samples)))


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Mean of independent estimates."""
    count = len(estimates)
    return Estimate(
        math.fsum(e.value for e in estimates) / count, math.sqrt(math.fsum(e.error**2 for e in estimates)) / count
    )


def no_wider(found: Estimate, count: int, clean: Sequence[float]) -> Estimate:
    """A median over ``count`` differences, whose error is no larger than that of clean samples could be."""
    usual = by_median(clean).error * math.sqrt(2 * len(clean) / count)
    return Estimate(found.value, min(found.error, SPREAD * usual))
