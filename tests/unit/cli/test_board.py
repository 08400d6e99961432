"""A board says which of its times are too wide to tell entries apart."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from kernelbot_core.cli._board import print_board
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.archive import open_store
from kernelbot_core.engine.board import make_board
from kernelbot_core.engine.record import record


@pytest.mark.parametrize(("resolution", "shown"), [(0.024, "1.000 ms ±2.4 %"), (0.009, "1.000 ms ")])
def test_a_wide_result_is_marked(world, problem, kernel, make_report, resolution, shown):
    job = accept_file(world.registry, problem, kernel, device="cpu", user="ada", mode="ranked")
    report = make_report(job, sandbox="namespaces")
    cases = [replace(c, stats=replace(c.stats, resolution=resolution)) if c.stats else c for c in report.cases]
    store = open_store(world.registry, world.store)
    record(world.registry, store, problem, job, replace(report, cases=cases))
    console = Console(file=io.StringIO(), width=200)
    print_board(console, make_board(world.registry, problem, store, gpu="cpu"))
    text = console.file.getvalue()
    assert shown in text
    assert ("±" in text) == ("±" in shown)


@pytest.fixture
def wide(world, problem, kernel, make_report):
    """A board with long names on it."""
    store = open_store(world.registry, world.store)
    for user in ("ada", "b" * 40, "Margarete von und zu Hohenstein"):
        job = accept_file(world.registry, problem, kernel, device="cpu", user=user, mode="ranked")
        record(world.registry, store, problem, job, make_report(job, sandbox="namespaces"))
    return make_board(world.registry, problem, store, gpu="cpu")


def printed(board, width, *, terminal=True, ids=True):
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    print_board(console, board, ids=ids)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 90, 100, 120, 140])
def test_no_row_is_wider_than_the_terminal(wide, width):
    lines = printed(wide, width).splitlines()
    assert max(map(len, lines[1:-2])) <= width
    for entry in (row.standing.entry for row in wide.rows):
        [line] = [line for line in lines if entry.runs[-1].report in line]
        assert entry.user in line
        assert "2.000 ms" in line
    assert lines[-2].startswith("too narrow for: ")


def test_what_is_left_out_is_named_and_the_rest_is_whole(wide):
    lines = printed(wide, 100).splitlines()
    head = lines[2].split()
    left = lines[-2].removeprefix("too narrow for: ").split(", ")
    assert head[:4] == ["rank", "user", "language", "overall"]
    assert head[-1] == "run"
    assert {"lines", "runs", "submitted"} <= set(left)
    assert not set(left) & set(head)


def test_files_and_pipes_keep_everything(wide, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    full = printed(wide, 400)
    assert "too narrow" not in full
    assert [line.rstrip() for line in printed(wide, 80, terminal=False).splitlines()] == [
        line.rstrip() for line in full.splitlines()
    ]
    monkeypatch.setenv("COLUMNS", "80")
    assert "too narrow for: " in printed(wide, 80, terminal=False)


def test_a_short_board_is_shown_whole_where_it_fits(wide):
    width = max(map(len, printed(wide, 400).splitlines()[2:4]))
    assert "too narrow" not in printed(wide, width)
    assert "too narrow for: runs\n" in printed(wide, width - 1)


@pytest.mark.parametrize("command", ["leaderboard", "history"])
def test_commands_fit_into_columns(call, kernel, monkeypatch, command):
    assert call("submit", "twice", kernel, "--user", "b" * 40)[0] == 0
    full = call(command, "twice")[1]
    monkeypatch.setenv("COLUMNS", "80")
    short = call(command, "twice")[1]
    assert "too narrow for: " in short
    assert "too narrow for: " not in full
    assert max(len(line) for line in full.splitlines() if "b" * 40 in line) > 80
    assert max(len(line) for line in short.splitlines() if "b" * 40 in line) <= 80
