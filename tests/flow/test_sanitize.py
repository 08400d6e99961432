"""``--sanitize`` from the command's wish to the reason in the report, with a checker that wraps the real worker."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import problem_packs
from kernelbot_core import Availability, Sanitizer
from kernelbot_core.engine.accept import accept
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry
from kernelbot_core.runner.job import run_job
from kernelbot_core.settings import Settings

WRAPPER = """import subprocess, sys
ended = subprocess.call(sys.argv[1:], close_fds=False)
print("FOUND k.py:3: too far" if ended else "nothing", flush=True)
sys.exit(ended)
"""
EXACT = "assert all(t.untyped_storage().nbytes() == t.numel() * 4 for t in (a, b, out)), 'shared buffers'"
RIGHT = f"import torch\ndef solve(a, b, out, n):\n    {EXACT}\n    torch.add(a, b, out=out)\n"
FAULT = "import torch\ndef solve(a, b, out, n):\n    raise RuntimeError('CUDA: unspecified launch failure')\n"


class Wrapping(Sanitizer):
    """Starts the worker as a child, as compute-sanitizer does, and speaks when it has ended."""

    name = "wrapping"

    def available(self):
        return Availability(ok=True)

    def command(self, command):
        return [sys.executable, "-c", WRAPPER, *command]

    def environment(self):
        return {"CHECKED": "1"}

    def findings(self, output):
        return [line.removeprefix("FOUND ") for line in output.splitlines() if line.startswith("FOUND ")]


@pytest.fixture
def judged(monkeypatch):
    found = registry()
    problem = load_problem(Path(next(iter(problem_packs.__path__))) / "vector_add")
    monkeypatch.setattr(type(found.languages["torch"]), "sanitizer", lambda self, kind: Wrapping())

    def judge(source):
        job = accept(
            found, problem, source, "k.py", settings=Settings(sandbox="process", require_sandbox=False), lang="torch",
            device="cpu", mode="test", sizes=["small"], dtypes=["fp32"], sanitize=True,
        )  # fmt: skip
        return run_job(found, job, lambda event: None)

    return judge


def test_a_right_kernel_passes_on_exact_copies(judged):
    report = judged("import os\nassert os.environ['CHECKED'] == '1'\n" + RIGHT)
    assert report.status == "passed", report.reason


def test_what_the_checker_says_is_the_reason(judged):
    report = judged(FAULT)
    assert report.status == "crashed"
    assert report.reason.endswith(": k.py:3: too far")
    bad = next(case for case in report.cases if case.status == "failed")
    assert (bad.reason, bad.error.message) == ("the checker says: k.py:3: too far",) * 2
