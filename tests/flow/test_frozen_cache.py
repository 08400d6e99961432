"""Further processes of a job start with what the first one compiled; they see nothing else of it."""

import pytest
import torch

from kernelbot_core.engine.accept import accept
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import Settings

# Adds 1 for what it finds in the cache and 2 for what it finds in the folder around it.
SOURCE = """
import os, pathlib, torch

cache = pathlib.Path(os.environ["TRITON_CACHE_DIR"])
there, beside = (cache / "kernel").exists(), pathlib.Path("beside").exists()
cache.mkdir(exist_ok=True)
(cache / "kernel").write_text("compiled")
pathlib.Path("beside").write_text("x")

def solve(a, b, out, n):
    torch.add(a, b, out=out)
    out += int(there) + 2 * int(beside)
"""


@pytest.fixture
def session(nothing_left):
    found = registry()
    problem = resolve("vector_add", found.pack_sources)
    job = accept(
        found, problem, SOURCE, "kernel.py", settings=Settings(), lang="torch", device="cpu", mode="test", user="ada"
    )
    folder = JobFolder(job.id)
    runner = JobRunner(found, job, folder, lambda _: None)
    made = JudgeSession(make_order(found, job), runner)
    yield made
    made.close()
    runner.close()
    folder.close()


def added(session, worker):
    """What the submission added to the sum."""
    worker.prepare("fp32", {"n": 1000})
    sample = session.caller(worker).open_call(Draw.given([torch.ones(1000), torch.ones(1000)]), 0)
    return sample.outputs[0].mean().item() - 2


def test_the_cache_of_the_first_process_is_the_start_of_the_next(session):
    session.build()
    assert added(session, session.submission("fp32")) == 0
    cell = next(cell for cell in session.problem.cells if cell.dtype == "fp32")
    for _ in range(2):
        with session.instance(cell) as worker:
            assert added(session, worker) == 1
