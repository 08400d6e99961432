"""From report to row: what is kept, what becomes an entry, and where that puts its author."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from kernelbot_core import hookimpl
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.archive import copy_store, open_store
from kernelbot_core.engine.board import make_board, measured_dtypes
from kernelbot_core.engine.rank import ranking_of, standings
from kernelbot_core.engine.record import record
from kernelbot_core.errors import PackError, UsageError
from kernelbot_core.plugins import load_registry


@pytest.fixture
def store(world):
    return open_store(world.registry, world.store)


@pytest.fixture
def submit(world, problem, kernel, store, make_report):
    """``submit(user="ada", time=1e-3, source=None, mode="ranked", change=None, **what accept_file takes)``."""

    days = itertools.count(1)

    def make(user="ada", time=1e-3, source=None, mode="ranked", change=None, registry=None, **more):
        if source is not None:
            kernel.write_text(source)
        registry = registry or world.registry
        job = accept_file(registry, problem, kernel, device="cpu", mode=mode, user=user, **more)
        report = make_report(job, time, started=f"2026-01-{next(days):02}T00:00:00+00:00")
        report = change(report) if change else report
        return record(registry, store, problem, job, report), report

    return make


def rows(store, problem):
    return store.entries(problem.name)


def kernel_of(number):
    return f"import torch\nx = {number}\n"


def test_a_ranked_run_becomes_an_entry_with_report_and_source(submit, store, problem, kernel):
    recorded, report = submit()
    (entry,) = rows(store, problem)
    assert entry == recorded.entry
    assert (entry.user, entry.gpu, entry.language, entry.problem_version) == ("ada", "cpu", "torch", problem.version)
    assert (entry.lines, entry.sandbox, entry.filename) == (3, "bwrap", "kernel.py")
    assert store.report(report.id) == report
    assert store.source(entry.source) == kernel.read_text()
    (run,) = entry.runs
    assert run.report == report.id
    assert {(r.size, r.dtype): r.median for r in run.results} == {
        ("small", "fp32"): 1e-3, ("small", "fp16"): 1e-3, ("medium", "fp32"): 4e-3, ("medium", "fp16"): 4e-3,
    }  # fmt: skip
    assert [r.baseline for r in run.results] == [pytest.approx(1e-3)] * 4
    assert run.skipped == ["large-fp32", "large-fp16"]


@pytest.mark.parametrize("mode", ["test", "benchmark"])
def test_other_modes_leave_nothing(submit, store, problem, mode):
    recorded, _ = submit(mode=mode)
    assert recorded.entry is None
    assert list(rows(store, problem)) == []
    assert list(store.reports()) == []


@pytest.mark.parametrize("status", ["wrong", "crashed", "build_failed", "not_attested", "infrastructure", "not_run"])
def test_a_failed_run_is_kept_and_is_no_entry(submit, store, problem, fail, status):
    recorded, report = submit(change=lambda made: fail(made, status))
    assert recorded.entry is None
    assert list(rows(store, problem)) == []
    assert store.report(report.id) == report
    assert store.source(report.source)


def test_a_passed_status_without_times_is_no_entry(submit, store, problem):
    def untimed(report):
        cases = [
            replace(case, status="skipped", reason="interpreted", stats=None) if case.kind == "bench" else case
            for case in report.cases
        ]
        return replace(report, cases=cases)

    recorded, report = submit(change=untimed)
    assert recorded.entry is None
    assert recorded.objections == ["nothing was timed: interpreted"]
    assert list(rows(store, problem)) == []
    assert store.report(report.id) is not None


def test_a_report_of_another_version_of_the_problem_is_no_entry(submit, store, problem):
    recorded, _ = submit(change=lambda report: replace(report, problem_version="f" * 64))
    assert "has changed" in recorded.objections[0]
    assert list(rows(store, problem)) == []


def test_an_objection_keeps_it_off_the_board_and_a_lenient_plugin_cannot_hide_it(submit, store, problem):
    class Strict:
        """Objects."""

        @hookimpl
        def kernelbot_check_report(self, job, report):
            return [f"{report.id} is faster than light", "and twice"]

    class Lenient:
        """Does not."""

        @hookimpl(tryfirst=True)
        def kernelbot_check_report(self):
            return []

    recorded, report = submit(registry=load_registry([Lenient(), Strict()]))
    assert recorded.entry is None
    assert recorded.objections == [f"{report.id} is faster than light", "and twice"]
    assert list(rows(store, problem)) == []
    assert store.report(report.id) is not None


def test_the_same_kernel_again_adds_a_run_and_never_a_lot(submit, store, problem, kernel):
    submit(time=3e-3)
    submit(time=1e-3, source=f"# a comment\n{kernel.read_text()}")
    recorded, _ = submit(time=2e-3)
    (entry,) = rows(store, problem)
    assert len(entry.runs) == 3
    assert recorded.places[0].standing.score == pytest.approx(2 * 2e-3)


def test_another_user_another_entry(submit, store, problem):
    submit("ada")
    submit("bob")
    assert {entry.user for entry in rows(store, problem)} == {"ada", "bob"}


def test_places_on_the_boards_of_language_and_of_all(submit, world):
    submit("cyd", 5e-4, change=lambda report: replace(report, language="cuda"))
    submit("bob", 1e-3)
    recorded, _ = submit("ada", 1.5e-3)
    first, second = recorded.places
    assert [(p.dtype, p.size) for p in recorded.places] == [("fp32", None), ("fp16", None)]
    assert (first.standing.rank, first.of, first.rank_of_all, first.of_all) == (2, 2, 3, 3)
    assert first.ahead.entry.user == "bob"
    assert second.standing.score == pytest.approx(3e-3)


def test_ones_own_earlier_entry_stays_until_it_is_clearly_beaten(submit):
    first, _ = submit("ada", 1e-3, kernel_of(1))
    same, _ = submit("ada", 0.999e-3, kernel_of(2))
    assert same.places[0].standing.entry.id == first.entry.id
    better, _ = submit("ada", 0.5e-3, kernel_of(3))
    assert better.places[0].standing.entry.id == better.entry.id
    assert better.places[0].of == 1


def test_a_part_of_the_grid_stands_on_its_own_boards(submit, world, problem, store):
    recorded, _ = submit(sizes=["small"], dtypes=["fp16"])
    assert [(p.dtype, p.size, p.standing.rank) for p in recorded.places] == [("fp16", "small", 1)]
    assert standings(world.registry, problem, store, gpu="cpu", dtype="fp16") == []


def test_boards_never_mix_versions_or_protocols(submit, world, problem, store):
    submit("ada")
    assert len(standings(world.registry, problem, store, gpu="cpu")) == 1
    newer = replace(problem, version="f" * 64)
    assert standings(world.registry, newer, store, gpu="cpu") == []
    assert make_board(world.registry, newer, store, gpu="cpu").earlier == 1
    submit("old", change=lambda report: replace(report, protocol=0))
    assert [s.entry.user for s in standings(world.registry, problem, store, gpu="cpu")] == ["ada"]


def test_boards_never_mix_gpus(submit, world, problem, store):
    submit("ada")
    submit("bob", change=lambda report: replace(report, gpu="H100-PCIe"))
    assert [s.entry.user for s in standings(world.registry, problem, store, gpu="cpu")] == ["ada"]
    assert [s.entry.user for s in standings(world.registry, problem, store, gpu="H100-PCIe")] == ["bob"]


def test_a_board_has_a_column_per_size_and_the_baseline(submit, world, problem, store):
    submit("ada", 1e-3)
    submit("bob", 2e-3, kernel_of(2), change=lambda report: replace(report, started="2026-02-01T00:00:00+00:00"))
    board = make_board(world.registry, problem, store, gpu="cpu")
    assert [(row.standing.entry.user, [(c.size, c.median) for c in row.cells]) for row in board.rows] == [
        ("ada", [("small", 1e-3), ("medium", 4e-3)]), ("bob", [("small", 2e-3), ("medium", 8e-3)]),
    ]  # fmt: skip
    assert board.baseline == pytest.approx(1e-3)
    assert board.as_of == "2026-02-01T00:00:00+00:00"
    assert (board.dtype, board.size, board.entries, board.earlier) == ("fp32", None, 2, 0)
    assert measured_dtypes(problem, store, "cpu") == ["fp32", "fp16"]


def test_listeners_hear_the_place_on_the_first_board(submit, world):
    heard = []

    class Listens:
        """Notes what it hears."""

        @hookimpl
        def kernelbot_leaderboard_changed(self, problem, entry, rank):
            heard.append((problem.name, entry.user, rank, len(entry.runs)))

    registry = load_registry([Listens()])
    submit("bob", 1e-3, registry=registry)
    submit("ada", 2e-3, registry=registry)
    submit("eve", 3e-3, registry=registry, sizes=["small"])
    assert heard == [("twice", "bob", 1, 1), ("twice", "ada", 2, 1)]


def test_a_ranking_that_nobody_brought(world, problem):
    other = replace(problem, file=replace(problem.file, ranking=replace(problem.file.ranking, score="luck")))
    with pytest.raises(PackError, match="no ranking luck") as caught:
        ranking_of(world.registry, other)
    assert "geomean" in caught.value.hint


@pytest.mark.parametrize(("url", "says"), [("folder", "no URL"), ("sqlite:///x", "no store has the scheme sqlite")])
def test_a_store_that_nobody_brought(world, url, says):
    with pytest.raises(UsageError, match=says) as caught:
        open_store(world.registry, url)
    assert "tinydb://" in caught.value.hint


def test_a_copy_has_everything_and_may_be_repeated(submit, store, problem, world, tmp_path, fail):
    submit("ada")
    submit("ada", 2e-3)
    submit("bob", source=kernel_of(2))
    _, failed = submit("cyd", source=kernel_of(3), change=lambda report: fail(report, "wrong"))
    target = open_store(world.registry, f"tinydb://{tmp_path}/target")
    for _ in range(2):
        done = copy_store(store, target)
        assert (done.entries, done.reports, done.sources) == (2, 4, 3)
    assert list(target.entries(problem.name)) == list(store.entries(problem.name))
    assert list(target.reports()) == list(store.reports())
    assert target.source(failed.source) == kernel_of(3)
