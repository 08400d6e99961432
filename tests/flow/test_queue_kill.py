"""The real queue, runner, judge and sandbox: kill -9 in the middle of a job, and what is on the board afterwards."""

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter

import psutil
import pytest

from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.queue import audit_log, enqueue, open_queue, ticket
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings

LONG = 300
KERNEL = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)  # {user}\n"


@pytest.fixture
def queue(tmp_path):
    made = open_queue(registry(), f"tinydb://{tmp_path}/store")
    yield made
    made.close()


@pytest.fixture
def serve(tmp_path, nothing_left):
    """Starts ``kernelbot queue serve`` on the processor until nothing waits."""
    command = [sys.executable, "-m", "kernelbot_core", "queue", "serve", "--device", "cpu", "--until-empty"]
    command += ["--store", f"tinydb://{tmp_path}/store"]

    def start():
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": tempfile.gettempdir()}
        )

    return start


def submit(queue, user):
    problem = resolve("vector_add", queue.registry.pack_sources)
    job = accept(
        queue.registry, problem, KERNEL.format(user=user), "kernel.py", settings=load_settings(), lang="torch",
        device="cpu", mode="ranked", sizes=["small"], dtypes=["fp32"], user=user,
    )  # fmt: skip
    return enqueue(queue, job)


def until_running(process):
    for line in process.stdout:
        if " running: " in line:
            return
    raise AssertionError("it ended before a job ran")


def runner_of(process):
    """The runner process of the job, as soon as it has processes of its own."""
    front_end = psutil.Process(process.pid)
    while process.poll() is None:
        for child in front_end.children():
            if "kernelbot_exec_local" in child.cmdline() and child.children():
                return child
    raise AssertionError("there was no runner")


def board(queue):
    return Counter(run.report for entry in queue.store.entries("vector_add") for run in entry.runs)


@pytest.mark.slow
def test_a_front_end_that_is_killed_costs_nothing(queue, serve):
    jobs = [submit(queue, user) for user in ("ada", "bob")]
    with serve() as first:
        until_running(first)
        runner_of(first)
        first.send_signal(signal.SIGKILL)
    assert board(queue) == {}
    with serve() as second:
        assert second.wait(LONG) == 0
    ends = [ticket(queue, job.id) for job in jobs]
    assert [(end.state, end.status, end.attempt, end.counted) for end in ends] == [
        ("done", "passed", 2, True), ("done", "passed", 1, True),
    ]  # fmt: skip
    assert board(queue) == Counter(job.id for job in jobs)
    assert [act.act for act in audit_log(queue)] == ["lost"]


@pytest.mark.slow
def test_a_runner_that_is_killed_is_the_machines_fault(queue, serve):
    job = submit(queue, "ada")
    with serve() as front_end:
        until_running(front_end)
        runner_of(front_end).kill()
        assert front_end.wait(LONG) == 0
    end = ticket(queue, job.id)
    assert (end.state, end.status, end.attempt, end.faults) == ("done", "passed", 2, 1)
    assert board(queue) == Counter([job.id])


@pytest.mark.slow
def test_sigterm_waits_for_what_runs_and_leaves_what_waits(queue, serve):
    jobs = [submit(queue, user) for user in ("ada", "bob")]
    with serve() as front_end:
        until_running(front_end)
        front_end.send_signal(signal.SIGTERM)
        assert front_end.wait(LONG) == 0
    assert [ticket(queue, job.id).state for job in jobs] == ["done", "queued"]
    assert board(queue) == Counter([jobs[0].id])
