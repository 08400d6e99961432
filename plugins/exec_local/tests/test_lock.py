"""One job per device at a time, and who waits is told so."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import threading

import psutil
import pytest

from kernelbot_exec_local._lock import device_lock

LONG = 30


@pytest.fixture(autouse=True)
def locks(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def phases(events):
    return [event.phase for event in events]


def test_nobody_waits_where_nobody_is():
    heard = []
    for _ in range(2):
        with device_lock("cuda:0", heard.append):
            pass
    assert heard == []


def test_the_second_job_on_a_device_waits_and_says_so():
    told, inside, order, heard = threading.Event(), [], [], []

    def hear(event):
        heard.append(event)
        told.set()

    def second():
        with device_lock("cuda:0", hear):
            assert inside == []
            order.append("second")

    with device_lock("cuda:0", heard.append):
        inside.append(1)
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(LONG)
        order.append("first")
        inside.remove(1)
    thread.join(LONG)
    assert phases(heard) == ["queued"]
    assert order == ["first", "second"]


def test_a_pipe_in_its_place_stops_nobody(tmp_path):
    os.mkfifo(tmp_path / "kernelbot-cuda-0.lock")
    with device_lock("cuda:0", print):
        pass


def test_another_device_does_not_wait():
    heard = []
    with device_lock("cuda:0", heard.append), device_lock("cuda:1", heard.append):
        pass
    assert heard == []


def test_a_job_that_fails_gives_the_device_back():
    heard = []
    for _ in range(2):
        with pytest.raises(RuntimeError, match="a bug"), device_lock("cpu", heard.append):
            raise RuntimeError("a bug")
    assert heard == []


HOLDER = """
import sys, tempfile, time
from kernelbot_core import SandboxLimits, start_supervised
from kernelbot_exec_local._lock import device_lock
tempfile.tempdir = sys.argv[1]
command = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]
with device_lock("cpu", print):
    job = start_supervised(command, env={}, folder="/", limits=SandboxLimits(wall_s=600, memory=1 << 30), fds=[])
    print("up", flush=True)
    time.sleep(600)
"""


def test_a_device_is_free_only_when_the_processes_of_a_killed_runner_have_gone(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout.readline() == "up\n"
        supervisor = psutil.Process(runner.pid).children()[0].children()[0]
        [worker] = supervisor.children()
        supervisor.suspend()
        runner.kill()
    with (tmp_path / "kernelbot-cpu.lock").open() as file:
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        supervisor.resume()
        fcntl.flock(file, fcntl.LOCK_EX)
    assert not worker.is_running()
