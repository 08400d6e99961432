"""Statistics of one cell. Times in seconds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kernelbot_core.model.report import Stats

STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
)  # fmt: skip
"""97.5 % quantiles of Student's t with 1 to 19 degrees of freedom (any table of it)."""


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
    """Median, interpolated inside the clock's tick where the tick is what limits it.

    No less than half the median: claims below the tick, which no clock gives, would be interpolated to less than 0.
    """
    middle = statistics.median(samples)
    if tick <= 1e-9 or middle >= 1000 * tick:
        return middle
    return max(statistics.median_grouped(samples, tick), middle / 2)


def summarize(samples: Sequence[float], tick: float) -> Stats:
    """All statistics of the measured calls.

    :param samples: At least one, finite and positive.
    :param tick: Smallest step of the clock.
    """
    low, high = ranks(len(samples))
    ordered = sorted(samples)
    interval = (ordered[low - 1], ordered[high - 1])
    return _stats(ordered, location(ordered, tick), interval, tick)


def combine(instances: Sequence[Sequence[float]], tick: float) -> Stats:
    """The same for a kernel that several processes measured.

    A process has its own place in memory and shifts all of its calls together, by 1-3 % below 10 us; more calls do not
    cure that, more processes do. The published median is the geometric mean of their medians,
    ``exp(mean(log(median)))``; its interval is Student's 95 % interval of that mean, ``mean +- t sd / sqrt(k)``, and
    half of it is the resolution, on the same footing as half the interval of a median. Mean, deviation and quantiles
    are those of all calls together.

    :param instances: Samples of each of up to 20 processes; one alone is summarized as it is.
    """
    if len(instances) == 1:
        return summarize(instances[0], tick)
    logs = [math.log(location(samples, tick)) for samples in instances]
    center = statistics.fmean(logs)
    half = STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs))
    interval = (math.exp(center - half), math.exp(center + half))
    within = statistics.median(summarize(samples, tick).resolution for samples in instances) / math.sqrt(len(instances))
    ordered = sorted(sample for samples in instances for sample in samples)
    stats = _stats(ordered, math.exp(center), interval, tick)
    return msgspec.structs.replace(stats, resolution=max(stats.resolution, within))


def _stats(ordered: Sequence[float], median: float, interval: tuple[float, float], tick: float) -> Stats:
    n = len(ordered)
    return Stats(
        n=n,
        median=median,
        mean=statistics.fmean(ordered),
        std=statistics.stdev(ordered) if n > 1 else 0.0,
        min=ordered[0],
        p50=quantile(ordered, 0.5),
        p99=quantile(ordered, 0.99),
        ci95=interval,
        resolution=max((interval[1] - interval[0]) / 2, tick) / median,
    )
