"""Times of the judge's own that stand for those of a submission's process, and processes that are left out."""

from __future__ import annotations

from statistics import median
from types import SimpleNamespace

import pytest

from kernelbot_core.judge.bench import Block, Clock
from kernelbot_core.judge.cell import Measured

US = 1e-6


def measured(claimed, by_judge, *, host_sync=0):
    """A cell of one process whose times are replaced, and its block."""
    block, cell = Block.__new__(Block), Measured.__new__(Measured)
    count, harness = len(claimed), 300 * US
    block.S = Clock(T=[harness + time for time in by_judge], E=list(claimed), host_sync=host_sync)
    block.R, block.C, block.control = Clock(T=[harness + 5 * US] * count, E=[5 * US] * count), Clock(), 0.0
    block.level = None
    cell.blocks, cell.by_events, cell.replaced = [block], True, True
    cell.evidence, cell.tick, cell.session, cell.hidden = None, 1e-9, SimpleNamespace(), 0.0
    return cell, block


def test_the_judges_time_stands_for_a_shorter_claim():
    cell, block = measured([1 * US] * 6, [4 * US] * 6)
    assert median(cell._ranked(block)) == pytest.approx(4 * US)


def test_a_claim_is_never_replaced_by_a_shorter_time():
    """Two calls of 6 claim next to nothing, so that the mean is refused; by luck the judge's median lies lower."""
    cell, block = measured([0.1 * US] * 2 + [4 * US] * 4, [3 * US] * 6)
    assert median(cell._ranked(block)) == pytest.approx(4 * US)


def test_what_only_quiet_calls_show_is_a_part_of_the_judges_time():
    """4 us of work overlap with the end of a timed call, so that the judge's own time is as short as the claim."""
    cell, block = measured([2.7 * US] * 6, [2.8 * US] * 6)
    cell.hidden = 3.8 * US
    assert median(cell._ranked(block)) == pytest.approx(6.5 * US)


def test_events_of_calls_that_synchronise_count_for_nothing():
    cell, block = measured([40 * US] * 6, [3 * US] * 6, host_sync=6)
    assert median(cell._ranked(block)) == pytest.approx(3 * US)


def test_a_first_process_that_is_left_out_leaves_no_note_about_few_pairs():
    """The further ones make fewer pairs by design."""
    cell, first = measured([4 * US] * 6, [9 * US] * 6)
    _, further = measured([4 * US] * 3, [4 * US] * 3)
    cell.measured, cell.wanted, cell.replaced = [first, further, further], 3, False
    cell.blocks, cell.session = [further, further], SimpleNamespace(order=SimpleNamespace(pairs=6))
    assert cell._notes(None) == ["1 of 3 processes left out: the judge's clock did not support them"]
