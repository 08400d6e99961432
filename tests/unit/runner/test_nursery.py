"""The process that forks supervisors is there while something needs it, and no longer."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from kernelbot_core.errors import InfrastructureError
from kernelbot_core.interfaces.sandbox import SandboxLimits
from kernelbot_core.plugins import registry
from kernelbot_core.runner import job as run
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.supervisor import client
from kernelbot_core.supervisor.client import start_supervised
from kernelbot_core.supervisor.nursery import Nursery
from kernelbot_core.supervisor.scratch import PREFIX

LIMITS = SandboxLimits(wall_s=20, memory=1 << 30, pids=50)


@pytest.fixture
def started(tmp_path):
    def start(code):
        return start_supervised([sys.executable, "-c", code], env={}, folder=str(tmp_path), limits=LIMITS, fds=[])

    yield start
    client.end_nursery()


def living():
    return [nursery for nursery in client._nurseries.values() if nursery._popen.poll() is None]


def test_it_ends_with_the_last_process(started):
    first, second = started("input()"), started("import time; time.sleep(60)")
    assert first.wait(20).code == 1
    [nursery] = living()
    second.kill()
    assert living() == []
    assert nursery._popen.returncode == 0


def test_a_later_start_makes_another(started):
    assert started("").wait(20).code == 0
    assert living() == []
    assert started("").wait(20).code == 0


def test_groups_that_a_killed_runner_never_handed_over_go_too(tmp_path):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        nursery = Nursery(ours, os.pidfd_open(os.getpid()))
        nursery._bases = {str(tmp_path)}
        for name in ("77-0", "77-12", "778-0", "78-0", "else"):
            (tmp_path / name).mkdir()
        nursery.sweep(77)
    os.close(nursery._runner)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["778-0", "78-0", "else"]


def test_it_stays_for_a_scratch_folder(started):
    folder = JobFolder("nursery")
    try:
        assert started("").wait(20).code == 0
        assert len(living()) == 1
    finally:
        folder.close()
    assert living() == []


def test_a_folder_whose_maker_is_killed_before_it_has_started_anything_goes_too(tmp_path):
    code = "import os; from kernelbot_core.runner.folder import JobFolder; JobFolder('x'); os.kill(os.getpid(), 9)"
    ended = subprocess.run([sys.executable, "-c", code], env=os.environ | {"TMPDIR": str(tmp_path)}, check=False)
    assert ended.returncode == -signal.SIGKILL
    ends = time.monotonic() + 20
    while list(tmp_path.glob(f"{PREFIX}*")) and time.monotonic() < ends:
        time.sleep(0.02)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stopped", ["mkdir", "chmod", "mkdtemp"])
@pytest.mark.parametrize(
    ("why", "told"), [(OSError(28, "no space", "/x"), InfrastructureError), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_a_folder_that_cannot_be_made_leaves_nothing_behind(monkeypatch, tmp_path, stopped, why, told):
    def stop(*_, **__):
        raise why

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile if stopped == "mkdtemp" else Path, stopped, stop)
    with pytest.raises(told, match=r"folder /x: no space|^$"):
        JobFolder("full")
    monkeypatch.undo()
    assert not client._folders
    assert living() == []
    assert list(tmp_path.iterdir()) == []


def test_a_job_starts_nothing_before_the_processors_are_divided(monkeypatch):
    """What is started earlier would run on the judge's own."""

    class DividedError(Exception):
        pass

    @contextlib.contextmanager
    def apart(*_):
        assert living() == []
        raise DividedError
        yield

    monkeypatch.setattr(run, "apart", apart)
    monkeypatch.setattr(run, "make_order", lambda *_: None)
    found = registry()
    job = SimpleNamespace(id="x", device="cpu", mode="test")
    with pytest.raises(DividedError):
        run.run_job(found, job, lambda _: None)
