"""A small pack, an executor that answers at once with a made-up report, and a store of one's own for each test."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kernelbot_core import PackSource, hookimpl
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import load_registry, use_registry
from kernelbot_core.scripted import ScriptedExecutor, failed_report, passed_report

TOML = """
format = 1
title = "Twice"
summary = "out = 2 a"
area = "elementwise"
difficulty = "intro"
inputs = { seed = 7 }
tolerance = { rule = "elementwise" }
work = { bytes = "2 * n * sizeof(T)", flops = "n" }
properties = { shapes = { examples = 5 } }
[signature]
dims = ["n"]
inputs = [{ name = "a", dtype = "T", shape = ["n"] }]
outputs = [{ name = "out", dtype = "T", shape = ["n"] }]
scalars = [{ name = "n", dtype = "int64", value = "n" }]
[grid]
dtypes = ["fp32", "fp16"]
[grid.sizes]
small = { n = 1024 }
medium = { n = 65536 }
large = { n = 1073741824, devices = ["gpu"] }
[rules]
languages = ["torch", "cuda"]
"""
CODE = """
def inputs(cell, gen): ...
def reference(a): ...
def shapes(cell): ...
"""
KERNEL = "import torch\n\n\ndef solve(a, out, n):\n    torch.mul(a, 2, out=out)\n"


@pytest.fixture
def packs(tmp_path):
    """A folder with the pack ``twice``: sizes small, medium and (for GPUs) large in fp32 and fp16."""
    folder = tmp_path / "packs"
    (folder / "twice").mkdir(parents=True)
    (folder / "twice" / "problem.toml").write_text(TOML)
    (folder / "twice" / "problem.py").write_text(CODE)
    return folder


@pytest.fixture
def problem(packs):
    return load_problem(packs / "twice")


@pytest.fixture
def kernel(tmp_path):
    """A source file."""
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    return path


@pytest.fixture
def make_report():
    """``make_report(job, time=1e-3)``: passed, with that median at ``small`` and four times that elsewhere."""

    return passed_report


@pytest.fixture
def fail():
    """``fail(report, "wrong", kind="check", ...)``: the first case of that kind failed, later ones were not reached."""

    return failed_report


@pytest.fixture
def world(packs, tmp_path, monkeypatch, make_report):
    """What a command line meets: the pack ``twice``, and an executor that calls ``world.answer(job)``."""
    inside = SimpleNamespace(answer=make_report, jobs=[], plugins=[], store=f"tinydb://{tmp_path}/store")

    class Scripted(ScriptedExecutor):
        """Answers at once."""

        @staticmethod
        def answer(job):
            inside.jobs.append(job)
            return inside.answer(job)

    class Plugin:
        """Brings the pack and the executor."""

        @hookimpl
        def kernelbot_register_executors(self):
            return [Scripted]

        @hookimpl
        def kernelbot_register_problem_packs(self):
            return [PackSource(name="mine", folder=packs)]

        @hookimpl
        def kernelbot_select_executor(self):
            return "scripted"

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KERNELBOT_STORE", inside.store)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LOGNAME", "ada")
    with use_registry(load_registry([Plugin()])) as inside.registry:
        yield inside
