"""Which logical processors the judge gets for itself."""

from __future__ import annotations

import os

import pytest

from kernelbot_core.runner.cores import apart, divide, siblings


@pytest.fixture
def topology(tmp_path):
    """``topology("0,8", ...)``: thread_siblings_list of cpu0, cpu1 ..."""

    def make(*lists):
        for cpu, text in enumerate(lists):
            folder = tmp_path / f"cpu{cpu}" / "topology"
            folder.mkdir(parents=True)
            (folder / "thread_siblings_list").write_text(text + "\n")
        return tmp_path

    return make


def test_both_threads_of_one_core_are_the_judges(topology):
    found = topology("0-1", "0-1", "2-3", "2-3", "4-5", "4-5")
    assert divide(set(range(6)), found) == ([4, 5], [0, 1, 2, 3])
    assert siblings(5, found) == {4, 5}


def test_siblings_that_are_far_apart(topology):
    found = topology(*[f"{n % 4},{n % 4 + 4}" for n in range(8)])
    assert divide(set(range(8)), found) == ([3, 7], [0, 1, 2, 4, 5, 6])


def test_a_system_that_does_not_say(tmp_path):
    assert divide(set(range(6)), tmp_path) == ([5], [0, 1, 2, 3, 4])


def test_few_processors_are_shared(tmp_path):
    assert divide({0, 1}, tmp_path) is None
    assert divide({0, 1, 2, 3}, tmp_path) is None
    assert divide(set(), tmp_path) is None


def test_a_sibling_that_is_not_allowed_is_left_alone(topology):
    found = topology(*[f"{n % 4},{n % 4 + 4}" for n in range(8)])
    assert divide({1, 2, 3, 4, 5, 6}, found) == ([2, 6], [1, 3, 4, 5])
    assert divide({0, 1, 2, 3, 7}, found) is None, "three are left, and four is the least"


def test_everything_is_as_before_afterwards(monkeypatch):
    now = {"cpus": set(range(8))}
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: now["cpus"])
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cpus: now.update(cpus=set(cpus)))
    with apart(False) as own:
        assert own == []
        assert now["cpus"] == set(range(8))
    with apart(True) as own:
        assert own
        assert now["cpus"] == set(range(8)) - set(own)
    assert now["cpus"] == set(range(8))
