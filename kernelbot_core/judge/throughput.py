"""Work over time, and how near that comes to what the device can do."""

from __future__ import annotations

from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import Throughput
from kernelbot_core.text import INTENSE


def throughput(session: JudgeSession, cell: Cell, median: float, reference: float) -> Throughput:
    """Rates of a cell.

    :param median: Published time, seconds; ``reference``: the baseline's in the same run.
    """
    per_s, flops, peaks = cell.bytes / median, cell.flops / median, session.order.peaks
    arithmetic = _fraction(flops, peaks.flops_per_s.get(next(iter(cell.binding.values()), "")))
    bandwidth = _fraction(per_s, peaks.bytes_per_s)
    of_copy = per_s / session.copy_peak()
    known = [fraction for fraction in (bandwidth, arithmetic) if fraction is not None]
    return Throughput(
        bytes_per_s=per_s, flops_per_s=flops, peak_fraction=max(known) if known else of_copy,
        bandwidth_of_datasheet=bandwidth, bandwidth_of_copy=of_copy, arithmetic_of_datasheet=arithmetic,
        speedup=reference / median,
    )  # fmt: skip


def above_the_ridge(session: JudgeSession, cell: Cell) -> bool:
    """Arithmetic limits the cell, not bandwidth: it has more FLOPs per byte than the device's peaks have."""
    peaks = session.order.peaks
    arithmetic = peaks.flops_per_s.get(next(iter(cell.binding.values()), ""))
    if not arithmetic or not peaks.bytes_per_s or not cell.bytes:
        return False
    return cell.flops / cell.bytes > arithmetic / peaks.bytes_per_s


def moves_bytes(cell: Cell) -> bool:
    """Its kernels read, compute a little, and write; not where the pack does not say."""
    return cell.bytes > 0 and cell.flops <= INTENSE * cell.bytes


def _fraction(rate: float, peak: float | None) -> float | None:
    return rate / peak if peak else None
