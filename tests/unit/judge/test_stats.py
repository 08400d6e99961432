"""Statistics against scipy-free definitions and published ranks."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core.judge.stats import location, quantile, ranks, summarize

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
