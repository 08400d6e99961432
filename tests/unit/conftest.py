"""A small pack, an executor that answers at once with a made-up report, and a store of one's own for each test."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from kernelbot_core import Availability, Event, Executor, PackSource, hookimpl
from kernelbot_core.engine.sandbox import WALLS
from kernelbot_core.model.plan import plan
from kernelbot_core.model.report import (
    STATUS_TEXT,
    BuildInfo,
    CaseError,
    CaseResult,
    Report,
    Samples,
    Seeds,
    Stats,
    Throughput,
)
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import load_registry, use_registry

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


def stats(time, resolution=0.001):
    return Stats(
        n=50, median=time, mean=time, std=time / 50, min=time, p50=time, p99=time * 1.2, ci95=(time, time),
        resolution=resolution,
    )  # fmt: skip


def case_of(planned, time):
    cell = planned.cell
    made = CaseResult(
        id=planned.id, kind=planned.kind, status="skipped" if planned.skip else "passed", reason=planned.skip,
        size=cell.size if cell and planned.kind != "property" else None, dtype=cell.dtype if cell else None,
    )  # fmt: skip
    if planned.skip or planned.kind == "build":
        return made
    if planned.kind != "bench":
        return replace(made, fraction=0.25, max_diff=1e-7, calls=3)
    median = time if cell.size == "small" else 4 * time
    work = Throughput(bytes_per_s=cell.bytes / median, flops_per_s=1.0, peak_fraction=0.5, speedup=1e-3 / median)
    return replace(made, stats=stats(median), throughput=work, samples=Samples(T=[median]), calls=60)


@pytest.fixture
def make_report():
    """``make_report(job, time=1e-3)``: passed, with that median at ``small`` and four times that elsewhere."""

    def make(job, time=1e-3, **changes):
        cases = [case_of(planned, time) for planned in plan(job, device_kind="cpu")]
        report = Report(
            id=job.id, mode=job.mode, status="passed", reason=STATUS_TEXT["passed"], problem=job.problem.name,
            problem_version=job.problem.version, harness="0", language=job.submission.language,
            user=job.submission.user, filename=job.submission.filename, device=job.device, gpu="cpu",
            sandbox=job.sandbox, guarantees=sorted(WALLS), seed=Seeds(public=job.seed),
            source=job.submission.sha256, cases=cases,
            build=BuildInfo(seconds=1.25), started="2026-01-02T03:04:05+00:00",
        )  # fmt: skip
        return replace(report, **changes)

    return make


@pytest.fixture
def fail():
    """``fail(report, "wrong", kind="check", ...)``: the first case of that kind failed, later ones were not reached."""

    def make(report, status, kind="check", text="", error=None):
        at = next(n for n, case in enumerate(report.cases) if case.kind == kind and case.status == "passed")
        error = error or CaseError(message=f"it is {status}", text=text)
        bad = CaseResult(
            id=report.cases[at].id, kind=kind, status="failed", verdict=status, reason=error.message, error=error
        )
        rest = [
            CaseResult(id=c.id, kind=c.kind, status="not_reached", reason=f"{bad.id} failed")
            for c in report.cases[at + 1 :]
        ]
        return replace(
            report, status=status, reason=f"{bad.id}: {error.message}", cases=[*report.cases[:at], bad, *rest]
        )

    return make


@pytest.fixture
def world(packs, tmp_path, monkeypatch, make_report):
    """What a command line meets: the pack ``twice``, and an executor that calls ``world.answer(job)``."""
    inside = SimpleNamespace(answer=make_report, jobs=[], plugins=[], store=f"tinydb://{tmp_path}/store")

    class Scripted(Executor):
        """Answers at once."""

        name = "scripted"

        def available(self):
            return Availability(ok=True)

        def capacity(self):
            return 1

        def run(self, job, on_event):
            inside.jobs.append(job)
            report = inside.answer(job)
            for phase, kinds in (
                ("build", ("build",)),
                ("correctness", ("check", "property")),
                ("benchmark", ("bench",)),
            ):
                cases = [case for case in report.cases if case.kind in kinds and case.status in ("passed", "failed")]
                for number, case in enumerate(cases, start=1):
                    ok = case.status == "passed"
                    on_event(Event(phase=phase, n=number, of=len(cases), case=case.id, ok=ok, text=case.reason))
            return report

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
