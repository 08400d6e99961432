"""Times of the judge's own that stand for those of a submission's process, and processes that are left out."""

from __future__ import annotations

from statistics import median
from types import SimpleNamespace

import pytest

from kernelbot_core.judge.attest import OVERLAP
from kernelbot_core.judge.bench import Block
from kernelbot_core.judge.cell import Measured
from kernelbot_core.judge.clock import Clock
from kernelbot_core.judge.evidence import Evidence
from kernelbot_core.judge.notes import notes
from kernelbot_core.judge.quiet import CleanQuiet

US = 1e-6


def measured(claimed, by_judge, *, host_sync=0):
    """A cell of one process whose times are replaced, and its block."""
    block, cell = Block.__new__(Block), Measured.__new__(Measured)
    block._stand_in_E = []
    count, harness = len(claimed), 300 * US
    block.S = Clock(T=[harness + time for time in by_judge], E=list(claimed), host_sync=host_sync)
    block.R, block.C, block.control = Clock(T=[harness + 5 * US] * count, E=[5 * US] * count), Clock(), 0.0
    block.level, block.quiet = None, False
    cell.blocks, cell.by_events, cell.replaced = [block], True, True
    cell.evidence, cell.tick, cell.session, cell.hidden = None, 1e-9, SimpleNamespace(), 0.0
    return cell, block


def with_quiet_calls(cell, block, ours, *, whole=None):
    """Quiet calls of so many seconds, so many of whose copies held everything; the baseline takes 5 us."""
    count, harness = len(block.S.E), 300 * US
    block.quiet, block.quiet_pairs = True, count
    block.quiet_S = Clock(T=[harness + ours] * (count if whole is None else whole))
    block.quiet_R = Clock(T=[harness + 5 * US] * count)
    cell.evidence = Evidence(
        [], clean=[harness] * 24, nulls=[], quiet=CleanQuiet([harness + 5 * US] * 24, [5 * US] * 24)
    )


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


def test_calls_torn_on_purpose_gain_nothing():
    """12 us of work, 7 of which overlap with the end of a timed call; 4 more are claimed away."""
    cell, block = measured([1 * US] * 6, [5 * US] * 6)
    with_quiet_calls(cell, block, 12 * US, whole=1)
    assert cell.torn
    assert median(cell._ranked(block)) == pytest.approx(5 * US + OVERLAP)


@pytest.mark.parametrize("whole", [None, 1])
def test_who_says_late_that_it_has_queued_its_work_hides_nothing_at_its_end(whole):
    """12 us of work, 7 of which overlap with the end of a timed call: it is taken for one that synchronises."""
    cell, block = measured([1 * US] * 6, [5 * US] * 6, host_sync=6)
    with_quiet_calls(cell, block, 12 * US, whole=whole)
    assert median(cell._ranked(block)) >= 11.9 * US


def test_calls_that_synchronise_keep_the_judges_time_where_quiet_ones_say_no_more():
    cell, block = measured([1 * US] * 6, [40 * US] * 6, host_sync=6)
    with_quiet_calls(cell, block, 38 * US)
    assert median(cell._ranked(block)) == pytest.approx(40 * US)


def test_who_synchronises_and_claims_long_calls_is_given_nothing_for_what_lies_around_those():
    """70 us more lie around a control of 17 ms."""
    cell, block = measured([17e-3] * 6, [50 * US] * 6, host_sync=6)
    block.control, block.C = 17e-3, Clock(T=[17e-3 + 370 * US] * 6, E=[17e-3] * 6)
    assert median(cell._ranked(block)) == pytest.approx(50 * US)


def test_events_of_calls_that_synchronise_count_for_nothing():
    cell, block = measured([40 * US] * 6, [3 * US] * 6, host_sync=6)
    assert median(cell._ranked(block)) == pytest.approx(3 * US)


def test_a_first_process_that_is_left_out_leaves_no_note_about_few_pairs():
    """The further ones make fewer pairs by design."""
    cell, first = measured([4 * US] * 6, [9 * US] * 6)
    _, further = measured([4 * US] * 3, [4 * US] * 3)
    cell.measured, cell.wanted, cell.replaced = [first, further, further], 3, False
    cell.blocks, cell.session = [further, further], SimpleNamespace(order=SimpleNamespace(pairs=6))
    assert notes(cell, None) == ["1 of 3 processes left out: the judge's clock did not support them"]
