"""kill -9 at the worst moments, then a new process: nothing is lost, and nothing is on the board twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from kernelbot_core.engine.queue import enqueue, open_queue, ticket, tickets
from kernelbot_core.model.report import dump

LONG = 120
USERS = ["ada", "bob", "cyd"]


@pytest.fixture
def front_end(world, packs, tmp_path):
    """``front_end("run")``: a dispatcher process that is killed there; ``"nowhere"`` runs to its end."""

    def start(where):
        command = [
            sys.executable,
            str(Path(__file__).with_name("killed.py")),
            world.store,
            str(packs),
            str(tmp_path),
            where,
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if where == "nowhere":
            _, said = process.communicate(timeout=LONG)
            assert process.returncode == 0, said
            return
        with process:
            assert process.stdout.readline().strip() == where, process.stderr.read()
            process.send_signal(signal.SIGKILL)
            process.wait(LONG)

    return start


@pytest.mark.parametrize("moments", [["run"], ["check"], ["changed"], ["run", "check", "changed", "run"]])
def test_killed_and_started_again(world, make_job, make_report, front_end, tmp_path, moments):
    queue = open_queue(world.registry, world.store)
    jobs = [make_job(USERS[number % 3]) for number in range(6)]
    for job in jobs:
        (tmp_path / f"{job.id}.json").write_bytes(dump(make_report(job)))
        enqueue(queue, job)
    for moment in moments:
        front_end(moment)
        assert len(tickets(queue, states=["queued", "running", "recording", "done"])) == len(jobs)
    front_end("nowhere")
    assert {ticket(queue, job.id).state for job in jobs} == {"done"}
    assert all(ticket(queue, job.id).counted for job in jobs)
    board = Counter(run.report for entry in queue.store.entries("twice") for run in entry.runs)
    assert board == Counter(job.id for job in jobs)
    runs = Counter((tmp_path / "runs.txt").read_text().split())
    assert set(runs) == {job.id for job in jobs}
    assert runs.total() == len(jobs) + moments.count("run")  # what was judged already is never judged again
    queue.close()
