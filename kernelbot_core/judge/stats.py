"""Statistics of one cell. Times in seconds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import lru_cache

from kernelbot_core.model.report import Stats


@lru_cache
def ranks(n: int, confidence: float = 0.95) -> tuple[int, int]:
    """1-based ranks of the order statistics that cover the median with at least ``confidence``.

    Exact and distribution-free: the number of samples below the median is binomial(n, 1/2). Below n = 6 no interval
    reaches 95 %, and the whole range is given.
    """
    best = (1, n)
    for k in range(2, n // 2 + 1):
        if sum(math.comb(n, i) for i in range(k, n - k + 1)) / 2**n < confidence:
            break
        best = (k, n + 1 - k)
    return best


def quantile(ordered: Sequence[float], q: float) -> float:
    """Quantile by linear interpolation between the closest ranks (method 7 of Hyndman & Fan)."""
    position = q * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def location(samples: Sequence[float], tick: float) -> float:
    """Median, interpolated inside the clock's tick where the tick is what limits it."""
    middle = statistics.median(samples)
    return statistics.median_grouped(samples, tick) if tick > 1e-9 and middle < 1000 * tick else middle


def summarize(samples: Sequence[float], tick: float) -> Stats:
    """All statistics of the measured calls.

    :param samples: At least one, finite and positive.
    :param tick: Smallest step of the clock.
    """
    ordered = sorted(samples)
    n = len(ordered)
    low, high = ranks(n)
    median = location(ordered, tick)
    interval = (ordered[low - 1], ordered[high - 1])
    resolution = max((interval[1] - interval[0]) / 2, tick) / median
    return Stats(
        n=n,
        median=median,
        mean=statistics.fmean(ordered),
        std=statistics.stdev(ordered) if n > 1 else 0.0,
        min=ordered[0],
        p50=quantile(ordered, 0.5),
        p99=quantile(ordered, 0.99),
        ci95=interval,
        resolution=resolution,
    )
