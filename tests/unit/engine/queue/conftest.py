"""A queue with a clock that stands still until a test moves it, and the scripted executor of the whole folder."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.archive import open_store
from kernelbot_core.engine.queue import Queue, enqueue
from kernelbot_core.engine.queue.db import Database

NOON = 1_800_000_000.0
KERNEL = "import torch\n\n\ndef solve(a, out, n):\n    torch.mul(a, {factor}, out=out)\n"


class Clock:
    """Seconds since 1970, moved by hand."""

    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def queue(world, tmp_path, clock):
    made = Queue(
        registry=world.registry, store=open_store(world.registry, world.store),
        database=Database(tmp_path / "queue.sqlite"), clock=clock,
    )  # fmt: skip
    yield made
    made.close()


@pytest.fixture
def make_job(world, problem):
    """``make_job(user="ada", device="cpu", mode="ranked")``: each with a source of its own."""
    from kernelbot_core.settings import Settings

    numbers = itertools.count()

    def make(user="ada", device="cpu", mode="ranked", source=None):
        source = source or KERNEL.format(factor=next(numbers))
        job = accept(
            world.registry, problem, source, "kernel.py", settings=Settings(), device="cpu", mode=mode, user=user
        )
        return replace(job, device=device)

    return make


@pytest.fixture
def add(queue, make_job):
    """``add("ada", priority=1)``: a ticket."""

    def make(user="ada", *, device="cpu", mode="ranked", source=None, **more):
        return enqueue(queue, make_job(user, device, mode, source), **more)

    return make


@pytest.fixture
def verdict(queue, make_report):
    """``verdict(lease, time=1e-3)``: a report of the job."""
    from kernelbot_core.engine.queue import job_of

    def make(lease, time=1e-3, **changes):
        return make_report(job_of(queue, lease.ticket.id), time, **changes)

    return make


@pytest.fixture
def broken_machine():
    return SimpleNamespace(status="infrastructure", reason="the card fell off")
