"""The judge's session runs the pack's code: what a report is about is not its to say."""

import msgspec
import pytest

from kernelbot_core.engine.accept import accept
from kernelbot_core.runner.finish import fallen, finish
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import Settings

LIES = {
    "id": "0another0", "mode": "ranked", "problem": "another", "problem_version": "0" * 64, "protocol": 99,
    "harness": "99", "language": "cuda", "user": "victim", "filename": "theirs.cu", "device": "cuda:7", "gpu": "H200",
    "sandbox": "bwrap", "guarantees": ["everything"], "source": "f" * 64,
}  # fmt: skip
SOURCE = "def solve(a, out, n):\n    out.copy_(a)\n"


@pytest.fixture
def order(world, problem):
    settings = Settings(sandbox="process", require_sandbox=False)
    job = accept(world.registry, problem, SOURCE, "k.py", settings=settings, lang="torch", device="cpu", user="ada")
    return make_order(world.registry, job)


@pytest.mark.parametrize("field", sorted(LIES))
def test_a_report_is_about_its_job(field, order, world):
    honest = fallen(order, "it fell", "", [])
    forged = msgspec.structs.replace(honest, **{field: LIES[field]})
    assert getattr(forged, field) != getattr(honest, field)
    ranking = world.registry.rankings["geomean"]
    ended = finish(forged, order, ranking, output=("", False), environment={}, timings={}, started="")
    assert getattr(ended, field) == getattr(honest, field)
