"""History, points, digest, podium, comparison and the release of code, over entries made by hand."""

from __future__ import annotations

import datetime

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from kernelbot_core.conformance import sample
from kernelbot_core.engine.archive import open_store
from kernelbot_core.engine.compare import compare
from kernelbot_core.engine.digest import digest, last_week
from kernelbot_core.engine.history import as_of, history
from kernelbot_core.engine.me import me
from kernelbot_core.engine.podium import podium, podium_changes
from kernelbot_core.engine.points import points_for, user_points
from kernelbot_core.engine.queue import drop_mark, mark, open_queue, take_mark
from kernelbot_core.engine.rank import standings
from kernelbot_core.engine.release import check_release
from kernelbot_core.errors import RefusedError, UsageError

PROBLEM = sample.problem()
MS = 1e-3


@pytest.fixture
def store(world):
    return open_store(world.registry, world.store)


@pytest.fixture
def put(store):
    """``put("ada", 2.0, day=3)``: a run of 2 ms on both sizes; the same name is the same entry."""
    count = iter(range(1000))

    def make(user, ms, *, day, name=None, text=None, **more):
        source = store.put_source(text or f"{user} {name}")
        entry = replace(sample.entry(name or user, user, day=day, **more), source=source)
        run = sample.run(f"r{next(count):03}", {"small": ms * MS, "large": ms * MS})
        return store.add_run(entry, replace(run, at=f"2026-01-{day:02}T00:00:00+00:00"))

    return make


def reigns(world, store, **more):
    return [
        (reign.user, reign.start[8:10], reign.end and reign.end[8:10])
        for reign in history(world.registry, PROBLEM, store, gpu="cpu", **more)
    ]


def test_first_place_moves_and_the_last_one_still_stands(world, store, put):
    put("ada", 5.0, day=1)
    put("bob", 9.0, day=2)
    put("bob", 3.0, day=3, name="bob2")
    put("cyd", 4.0, day=4)
    put("ada", 2.0, day=5, name="ada2")
    assert reigns(world, store) == [("ada", "01", "03"), ("bob", "03", "05"), ("ada", "05", None)]
    assert reigns(world, store, size="small") == reigns(world, store)


def test_a_slower_run_of_the_leader_can_lose_first_place(world, store, put):
    put("ada", 2.0, day=1)
    put("bob", 3.0, day=2)
    put("ada", 9.0, day=3)
    assert reigns(world, store) == [("ada", "01", "03"), ("bob", "03", None)]


def test_an_entry_taken_off_was_never_first(world, store, put):
    put("ada", 2.0, day=1)
    store.set_invalid(put("eve", 1.0, day=2), "cheats")
    assert reigns(world, store) == [("ada", "01", None)]


RUNS = st.lists(st.tuples(st.sampled_from(["ada", "bob", "cyd"]), st.integers(0, 1), st.integers(1, 9)), max_size=12)


@given(RUNS)
@settings(max_examples=60, deadline=None)
def test_the_short_way_through_history_is_the_long_one(world_registry, runs):
    entries = {}
    for day, (user, number, ms) in enumerate(runs, start=1):
        name = f"{user}{number}"
        run = replace(
            sample.run(f"r{day}", {"small": ms * MS, "large": ms * MS}), at=f"2026-01-{day:02}T00:00:00+00:00"
        )
        entry = entries.get(name) or sample.entry(name, user, day=day)
        entries[name] = replace(entry, runs=[*entry.runs, run])

    class Kept:
        """As much of a store as a board asks for."""

        def entries(self, problem, gpu=None):
            return list(entries.values())

    found = history(world_registry, PROBLEM, Kept(), gpu="cpu")
    for day in range(1, len(runs) + 1):
        moment = f"2026-01-{day:02}T00:00:00+00:00"
        stood = as_of(list(entries.values()), f"{moment}~")  # with the run of that moment
        board = world_registry.rankings["geomean"].board(PROBLEM, stood, dtype="fp32")
        (then,) = [reign for reign in found if reign.start <= moment and (reign.end is None or moment < reign.end)]
        assert (then.entry, then.score) == (board[0].entry.id, board[0].score)


@pytest.fixture(scope="module")
def world_registry():
    from kernelbot_core.plugins import load_registry

    return load_registry([])


def test_points_are_what_the_formula_says():
    assert points_for(1, 1, "intro") == 20.0
    assert points_for(1, 10, "intro") == pytest.approx(71.4)
    assert points_for(4, 10, "intro") == pytest.approx(35.7)
    assert points_for(1, 10, "hard") == pytest.approx(214.3)


@given(st.integers(1, 200), st.integers(0, 200))
def test_rank_never_costs_and_company_below_never_does(rank, below):
    of = rank + below
    assert points_for(rank, of + 1, "intro") >= points_for(rank, of, "intro")
    if below:
        assert points_for(rank, of, "intro") >= points_for(rank + 1, of, "intro")


def test_points_add_up_over_boards_and_ties_share(world, store, put):
    for gpu in ("cpu", "H100-SXM"):
        put("ada", 1.0, day=1, gpu=gpu, name=f"ada-{gpu}")
        put("bob", 1.001, day=2, gpu=gpu, name=f"bob-{gpu}")
    put("cyd", 5.0, day=3)
    ada, bob, cyd = user_points(world.registry, [PROBLEM], store)
    assert (ada.points, ada.rank) == (bob.points, bob.rank)
    assert ada.points == pytest.approx(points_for(1, 3, "intro") + points_for(1, 2, "intro"))
    assert (cyd.rank, cyd.points) == (3, points_for(3, 3, "intro"))
    assert [(share.gpu, share.of) for share in ada.boards] == [("cpu", 3), ("H100-SXM", 2)]


def test_who_rose_and_who_fell(world, store, put):
    put("ada", 1.0, day=1)
    put("bob", 2.0, day=1)
    put("cyd", 3.0, day=1)
    before = podium(world.registry, PROBLEM, store, "cpu")
    put("dan", 0.5, day=2)
    now = podium(world.registry, PROBLEM, store, "cpu")
    assert [(c.user, c.change, c.before, c.now) for c in podium_changes(before, now)] == [
        ("dan", "new", None, 1), ("ada", "down", 1, 2), ("bob", "down", 2, 3), ("cyd", "off", 3, None),
    ]  # fmt: skip
    assert podium_changes(now, now) == []
    assert [c.change for c in podium_changes(now, before)] == ["up", "up", "new", "off"]


def test_a_week_in_numbers(world, store, put):
    put("ada", 4.0, day=5)
    put("bob", 6.0, day=6)
    put("bob", 3.0, day=13, name="bob2")
    put("cyd", 8.0, day=14)
    first = digest(world.registry, [PROBLEM], store, "2026-W02")
    assert (first.start[:10], first.end[:10], first.new_problems) == ("2026-01-05", "2026-01-12", ["conformance"])
    week = digest(world.registry, [PROBLEM], store, "2026-W03")
    (board,) = week.boards
    assert (board.before.user, board.now.user, board.runs, board.newcomers) == ("ada", "bob", 2, ["cyd"])
    assert (board.before.gap, board.now.gap) == (pytest.approx(0.5), pytest.approx(1 / 3))
    assert [(one.user, one.ratio) for one in week.improved] == [("bob", pytest.approx(2.0))]
    assert week.new_problems == []
    assert digest(world.registry, [PROBLEM], store, "2026-W04").boards == []
    assert digest(world.registry, [PROBLEM], store, "2026-W03") == week


def test_weeks_are_iso_weeks():
    monday = datetime.datetime(2027, 1, 4, 0, 0, tzinfo=datetime.UTC).timestamp()
    assert (last_week(monday), last_week(monday - 1)) == ("2026-W53", "2026-W52")
    for wrong in ("2026-W60", "2026", "x"):
        with pytest.raises(UsageError, match="is no week"):
            digest(None, [], None, wrong)


def test_a_mark_is_taken_once_whatever_is_restarted(world):
    for first in (True, False):
        queue = open_queue(world.registry, world.store)
        assert take_mark(queue, "digest:g:2026-W03", "42") is first
        assert mark(queue, "digest:g:2026-W03") == "42"
        queue.close()
    queue = open_queue(world.registry, world.store)
    drop_mark(queue, "digest:g:2026-W03")
    assert mark(queue, "digest:g:2026-W03") is None
    assert take_mark(queue, "digest:g:2026-W03")
    queue.close()


NOW = datetime.datetime(2026, 1, 10, tzinfo=datetime.UTC).timestamp()


@pytest.mark.parametrize(
    ("release", "day", "viewer", "seen"),
    [
        (7, 3, None, True), (7, 4, None, False), (7, 4, "bob", True), (7, 4, "ada", False), (0, 9, None, True),
        ("never", 1, None, False), ("never", 1, "bob", True), ("first", 9, None, False),
    ],
)  # fmt: skip
def test_who_sees_code_and_when(world, store, put, release, day, viewer, seen):
    put("ada", 1.0, day=1)
    entry = put("bob", 2.0, day=day)
    ask = {"viewer": viewer, "now": NOW, "release": release}
    if seen:
        check_release(world.registry, PROBLEM, store, entry, **ask)
        return
    with pytest.raises(RefusedError, match="is not public") as caught:
        check_release(world.registry, PROBLEM, store, entry, **ask)
    assert caught.value.hint


def test_first_place_shows_its_code_only_while_it_holds(world, store, put):
    entry = put("ada", 1.0, day=9)
    ask = {"viewer": None, "now": NOW, "release": "first"}
    check_release(world.registry, PROBLEM, store, entry, **ask)
    put("bob", 0.5, day=10)
    with pytest.raises(RefusedError, match="is not public"):
        check_release(world.registry, PROBLEM, store, entry, **ask)


def test_what_the_pack_says_counts_unless_maintainers_say_otherwise(world, store, put):
    file = replace(PROBLEM.file, ranking=replace(PROBLEM.file.ranking, release="never"))
    entry = put("ada", 1.0, day=1)
    with pytest.raises(RefusedError):
        check_release(world.registry, replace(PROBLEM, file=file), store, entry, viewer=None, now=NOW)
    check_release(world.registry, replace(PROBLEM, file=file), store, entry, viewer=None, now=NOW, release=7)


def test_code_that_was_taken_off_stays_shut(world, store, put):
    entry = store.set_invalid(put("ada", 1.0, day=1), "cheats")
    with pytest.raises(RefusedError, match="is not public"):
        check_release(world.registry, PROBLEM, store, entry, viewer=None, now=NOW)


def test_two_entries_side_by_side(world, store, put):
    a = put("ada", 1.0, day=1, text="x = 1\ny = 2\n")
    b = put("bob", 3.0, day=2, text="x = 1\ny = 3\n")
    found = compare(world.registry, PROBLEM, store, a, b, viewer=None, now=NOW)
    assert [(d.size, d.ratio) for d in found.deltas] == [("small", pytest.approx(3)), ("large", pytest.approx(3))]
    assert found.diff[-3:] == [" x = 1", "-y = 2", "+y = 3"]
    assert found.same_board
    assert not compare(
        world.registry, PROBLEM, store, a, put("cyd", 1.0, day=1, gpu="T4"), viewer=None, now=NOW
    ).same_board


def test_code_of_one_that_is_not_public_hides_both(world, store, put):
    a, b = put("ada", 1.0, day=1), put("bob", 3.0, day=9, text="secret")
    for viewer in (None, "ada"):
        found = compare(world.registry, PROBLEM, store, a, b, viewer=viewer, now=NOW)
        assert found.diff == []
        assert "bob" in found.hidden
        assert len(found.deltas) == 2
    assert compare(world.registry, PROBLEM, store, a, b, viewer="bob", now=NOW).diff


def test_my_own_sum(world, store, put):
    put("ada", 1.0, day=1)
    put("bob", 2.0, day=1)
    queue = open_queue(world.registry, world.store)
    mine = me(queue, [PROBLEM], user="ada")
    assert (mine.rank, mine.firsts, mine.points, mine.jobs) == (1, 1, points_for(1, 2, "intro"), {})
    assert me(queue, [PROBLEM], user="nobody").rank is None
    assert [line.entry.user for line in standings(world.registry, PROBLEM, queue.store, gpu="cpu")] == ["ada", "bob"]
    queue.close()
