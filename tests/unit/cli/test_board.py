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
