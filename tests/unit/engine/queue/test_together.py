"""Several at once: threads that add, threads that claim, processes that open, devices that are alike."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kernelbot_core import DeviceInfo
from kernelbot_core.engine.queue import (
    Dispatcher,
    LimitError,
    claim,
    device_for,
    enqueue,
    set_flow,
    set_limit,
    spread,
    ticket,
)
from kernelbot_core.errors import UsageError

LONG = 60


def test_two_at_once_cannot_both_take_the_last_slot(queue, make_job):
    set_limit(queue, 3, actor="mod")
    jobs = [make_job() for _ in range(8)]

    def add(job):
        try:
            return enqueue(queue, job)
        except LimitError:
            return None

    with ThreadPoolExecutor(8) as pool:
        added = [found for found in pool.map(add, jobs) if found is not None]
    assert len(added) == 3


def test_two_at_once_cannot_both_start_a_job(queue, add):
    for _ in range(4):
        add()
    with ThreadPoolExecutor(8) as pool:
        leases = [lease for lease in pool.map(lambda n: claim(queue, "cpu", f"far:{n}:0"), range(8)) if lease]
    assert len(leases) == 1


def test_two_dispatchers_on_one_queue_run_each_job_once_and_tell_it_once(queue, add, world):
    jobs = [add(user) for user in ("ada", "bob") for _ in range(4)]
    ends, all_ended = [], threading.Event()

    def hear(update):
        if not update.ticket.live:
            ends.append(update.ticket.id)
            if len(ends) == len(jobs):
                all_ended.set()

    dispatchers = [Dispatcher(queue, ["cpu"]) for _ in range(2)]
    for dispatcher in dispatchers:
        dispatcher.subscribe(hear)
        dispatcher.start()
    assert all_ended.wait(LONG)
    for dispatcher in dispatchers:
        dispatcher.stop()
    assert sorted(ends) == sorted(job.id for job in jobs) == sorted(job.id for job in world.jobs)
    assert {ticket(queue, job.id).attempt for job in jobs} == {1}


def test_processes_that_open_a_new_file_at_once_agree(tmp_path):
    code = (
        "import sys; from pathlib import Path; from kernelbot_core.engine.queue.db import Database; "
        "Database(Path(sys.argv[1])).close()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new" / "queue.sqlite")]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in started:
        _, said = process.communicate(timeout=LONG)
        assert process.returncode == 0, said


@pytest.fixture
def four(monkeypatch):
    made = [DeviceInfo(id=f"cuda:{n}", kind="gpu", name="a card", label="H200", index=n, memory=1) for n in range(4)]
    monkeypatch.setattr(spread, "all_devices", lambda registry: made)


def test_equal_devices_share_the_work(queue, add, four):
    assert device_for(queue, "h200") == "cuda:0"
    for _ in range(6):
        add(device=device_for(queue, "H200"))
    set_flow(queue, "cuda:3", "paused", actor="mod")
    assert device_for(queue, "H200") == "cuda:2"
    with pytest.raises(UsageError, match="there is no T4") as caught:
        device_for(queue, "T4")
    assert "H200" in caught.value.hint
