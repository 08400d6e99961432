"""How many processes measure a cell, and those that wait."""

from __future__ import annotations

import pytest

from kernelbot_core.judge.instances import MOST, Spares, processes_for


class Process:
    def __init__(self):
        self.up = self.closed = False

    def ready(self):
        self.up = True

    def close(self):
        self.closed = True


@pytest.fixture
def started():
    return []


@pytest.fixture
def spares(started):
    def start():
        started.append(Process())
        return started[-1]

    return Spares(start)


@pytest.mark.parametrize(
    ("median", "asked", "expected"),
    [
        (3e-6, 0, 9),
        (6.99e-6, 0, 9),
        (7e-6, 0, 5),
        (19e-6, 0, 5),
        (99e-6, 0, 5),
        (100e-6, 0, 3),
        (399e-6, 0, 3),
        (400e-6, 0, 1),
        (59e-6, 1, 1),
        (3e-6, 1, 1),
        (3e-6, 7, 7),
        (1e-3, 7, 1),
    ],
)
def test_the_shorter_the_more(median, asked, expected):
    assert processes_for(median, asked) == expected


def test_all_are_started_at_once_and_all_are_up_before_one_measures(spares, started):
    spares.want(4)
    assert len(started) == 4
    assert not any(one.up for one in started)
    assert spares.take() is started[0]
    assert all(one.up for one in started)


def test_those_that_wait_count(spares, started):
    spares.want(4)
    spares.take()
    spares.want(3)
    assert len(started) == 4
    spares.want(MOST + 5)
    assert len(started) == 1 + MOST


def test_one_is_started_when_none_waits(spares, started):
    assert spares.take() is started[0]
    assert started[0].up


def test_nobody_stays_behind(spares, started):
    spares.want(3)
    taken = spares.take()
    spares.close()
    assert [one.closed for one in started] == [False, True, True]
    assert not taken.closed, "who took it closes it"
    spares.close()
