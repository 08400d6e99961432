"""Statistics against scipy-free definitions and published ranks."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core.judge.stats import STUDENT, combine, location, quantile, ranks, summarize

times = st.lists(st.floats(1e-7, 1e-1, allow_nan=False), min_size=2, max_size=200)


@pytest.mark.parametrize(("n", "expected"), [(50, (18, 33)), (100, (40, 61)), (200, (86, 115)), (400, (180, 221))])
def test_ranks_of_the_median_interval(n, expected):
    assert ranks(n) == expected


@pytest.mark.parametrize("n", range(6, 120, 7))
def test_ranks_cover_at_least_95_percent(n):
    low, high = ranks(n)
    assert sum(math.comb(n, i) for i in range(low, high)) / 2**n >= 0.95


@given(times)
def test_summary_is_ordered(samples):
    s = summarize(samples, 1e-9)
    assert s.min <= s.ci95[0] <= s.ci95[1]
    assert s.p50 <= s.p99 * (1 + 1e-12)
    assert s.median == pytest.approx(statistics.median(samples))
    assert s.resolution >= 0


@given(times, st.floats(1e-3, 1e3))
def test_summary_scales_with_the_unit(samples, factor):
    one, two = summarize(samples, 0.0), summarize([x * factor for x in samples], 0.0)
    assert two.median == pytest.approx(one.median * factor)
    assert two.resolution == pytest.approx(one.resolution, rel=1e-6, abs=1e-12)


def test_quantile_interpolates():
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert quantile([1.0], 0.99) == 1.0


def test_location_looks_inside_the_tick():
    samples = [32e-9 * k for k in (100, 100, 100, 101, 101)]
    assert location(samples, 32e-9) != statistics.median(samples)


def test_one_process_is_summarized_as_it_is():
    samples = [1e-6 * (1 + k / 100) for k in range(20)]
    assert combine([samples], 32e-9) == summarize(samples, 32e-9)


def test_processes_are_combined_by_the_mean_of_their_logs():
    instances = [[t, t, t, t, t, t] for t in (2.0, 4.0, 8.0)]
    stats = combine(instances, 1e-12)
    assert stats.median == pytest.approx(4.0)
    assert stats.n == 18
    half = 4.303 * statistics.stdev([math.log(t) for t in (2, 4, 8)]) / math.sqrt(3)
    assert stats.ci95 == pytest.approx((4 * math.exp(-half), 4 * math.exp(half)))
    assert stats.resolution >= half


TICK = 0.032


def ticks(time):
    return TICK * round(time / TICK)


def test_the_resolution_of_processes_covers_their_spread():
    """95 % of the published medians lie within their own resolution of the truth."""
    draw, inside = random.Random(1), 0
    for _ in range(400):
        shifts = [draw.gauss(0, 0.017) for _ in range(9)]
        instances = [[ticks(3.6 * math.exp(shift + draw.gauss(0, 0.004))) for _ in range(20)] for shift in shifts]
        stats = combine(instances, TICK)
        inside += abs(math.log(stats.median / 3.6)) <= stats.resolution
    assert 372 <= inside < 400


@pytest.mark.parametrize("freedom", [1, 4, 8, 19])
def test_quantiles_of_student(freedom):
    """The density's integral from 0 to the quantile is 0.475."""
    scale = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    top, steps = STUDENT[freedom - 1], 20000
    points = [(k + 0.5) * top / steps for k in range(steps)]
    area = sum(scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2) for x in points) * top / steps
    assert area == pytest.approx(0.475, abs=1e-4)
