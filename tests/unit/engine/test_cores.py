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


def test_both_threads_of_two_cores_are_the_judges(topology):
    found = topology(*[f"{n // 2 * 2}-{n // 2 * 2 + 1}" for n in range(8)])
    assert divide(set(range(8)), topology=found) == ([4, 5, 6, 7], [0, 1, 2, 3])
    assert siblings(5, found) == {4, 5}


def test_siblings_that_are_far_apart(topology):
    found = topology(*[f"{n % 4},{n % 4 + 4}" for n in range(8)])
    assert divide(set(range(8)), topology=found) == ([2, 3, 6, 7], [0, 1, 4, 5])


def test_a_system_that_does_not_say(tmp_path):
    assert divide(set(range(6)), topology=tmp_path) == ([4, 5], [0, 1, 2, 3])


def test_few_processors_are_shared(tmp_path):
    for count in range(6):
        assert divide(set(range(count)), topology=tmp_path) is None


def test_a_sibling_that_is_not_allowed_is_left_alone(topology):
    found = topology(*[f"{n % 4},{n % 4 + 4}" for n in range(8)])
    assert divide({0, 1, 2, 3, 4, 5, 6}, topology=found) is None, "6 goes with 2, and 5 with 1: three are left"


def test_each_device_has_a_judge_with_cores_of_its_own(topology):
    found = topology(*[f"{n}" for n in range(12)])
    shares = [divide(set(range(12)), place, 3, found) for place in range(3)]
    assert [own for own, _ in shares] == [[10, 11], [8, 9], [6, 7]]
    assert [others for _, others in shares] == [[0, 1, 2, 3, 4, 5]] * 3
    assert divide(set(range(12)), 0, 5, found) is None


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
