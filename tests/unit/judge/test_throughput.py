"""Rates against the datasheet and against the measured copy."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kernelbot_core.judge.throughput import above_the_ridge, moves_bytes, throughput
from kernelbot_core.judge.unattested import modes
from kernelbot_core.model.device import Peaks
from kernelbot_core.model.message import Loop
from kernelbot_core.model.problem import Cell

H200 = Peaks(bytes_per_s=4.8e12, flops_per_s={"fp16": 989e12})


def session(peaks, ranks_on="E"):
    order, device = SimpleNamespace(peaks=peaks), SimpleNamespace(ranks_on=ranks_on)
    return SimpleNamespace(order=order, device=device, copy_peak=lambda: 4e12)


def cell(nbytes, flops, dtype="fp16"):
    return Cell(
        size="s", dtype=dtype, dims={}, binding={"T": dtype}, ranked=True, devices=["gpu"], bytes=nbytes, flops=flops
    )


def test_bandwidth_by_both_peaks():
    found = throughput(session(H200), cell(200_000_000, 33_000_000), 50e-6, 60e-6)
    assert found.bytes_per_s == pytest.approx(4e12)
    assert found.bandwidth_of_datasheet == pytest.approx(4 / 4.8)
    assert found.bandwidth_of_copy == pytest.approx(1.0)
    assert found.peak_fraction == found.bandwidth_of_datasheet
    assert found.speedup == pytest.approx(1.2)


def test_the_nearer_peak_counts():
    found = throughput(session(H200), cell(3 * 2 * 4096**2, 2 * 4096**3), 180e-6, 180e-6)
    assert found.arithmetic_of_datasheet == pytest.approx(2 * 4096**3 / 180e-6 / 989e12)
    assert found.peak_fraction == found.arithmetic_of_datasheet


@pytest.mark.parametrize("peaks", [Peaks(), Peaks(flops_per_s={"fp16": 1e12})])
def test_without_a_datasheet_the_copy_counts(peaks):
    found = throughput(session(peaks), cell(4_000_000, 1, dtype="fp32"), 2e-6, 2e-6)
    assert found.bandwidth_of_datasheet is None
    assert found.arithmetic_of_datasheet is None
    assert found.peak_fraction == found.bandwidth_of_copy == pytest.approx(0.5)


def test_sustained_is_for_long_arithmetic_on_a_device():
    product, addition = cell(3 * 2 * 8192**2, 2 * 8192**3), cell(12 << 30, 1 << 30)
    assert above_the_ridge(session(H200), product)
    assert not above_the_ridge(session(H200), addition)
    assert not above_the_ridge(session(Peaks()), product)
    assert modes(session(H200), product, 1.4e-3) == [Loop.DO_BENCH, Loop.WALL, Loop.SUSTAINED]
    assert modes(session(H200), product, 0.4e-3) == [Loop.DO_BENCH, Loop.WALL]
    assert modes(session(H200), addition, 3e-3) == [Loop.DO_BENCH, Loop.WALL]
    assert modes(session(Peaks(), ranks_on="T"), product, 0.05) == [Loop.DO_BENCH]
    assert modes(session(H200), product, 0.2) == []


@pytest.mark.parametrize(
    ("nbytes", "flops", "moves"),
    [(12, 1, True), (8, 80, True), (8, 81, False), (0, 0, False), (6 * 512**2, 2 * 512**3, False)],
)
def test_problems_that_move_bytes(nbytes, flops, moves):
    assert moves_bytes(cell(nbytes, flops)) is moves
