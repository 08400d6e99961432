"""A real job in a runner process of its own: its report, its cancelling, and the death of whoever started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import msgspec
import psutil
import pytest

from kernelbot_core import InfrastructureError, UsageError
from kernelbot_core.engine.accept import accept
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import Settings
from kernelbot_exec_local import LocalExecutor
from kernelbot_exec_local._wire import Failed, decode, encode

LONG = 120
KERNEL = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
FRONT_END = """
import sys, msgspec
from kernelbot_core import Job
from kernelbot_exec_local import LocalExecutor
job = msgspec.json.decode(open(sys.argv[1], "rb").read(), type=Job)
LocalExecutor().run(job, lambda event: print(event.phase, flush=True))
"""
LEAVES_WHILE_TOLD_TO_END = """
import atexit, os, signal, sys
import kernelbot_exec_local.__main__ as runner
from kernelbot_core import UsageError
def refuse(job, hear):
    raise UsageError("no")
runner.run_job_here = refuse
code = runner.main(int(sys.argv[1]))
atexit.register(os.kill, os.getpid(), signal.SIGTERM)
sys.exit(code)
"""


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def make_job(scratch):
    def make(source=KERNEL):
        found = registry()
        problem = resolve("vector_add", found.pack_sources)
        return accept(
            found, problem, source, "kernel.py", settings=Settings(), lang="torch", device="cpu", mode="test",
            sizes=["small"], dtypes=["fp32"],
        )  # fmt: skip

    return make


def of(scratch):
    """Processes of jobs in this scratch folder: each has it in its environment, the runner as TMPDIR."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and str(scratch) in " ".join(process.environ().values()):
                found.append(process)
        except psutil.Error:
            pass
    return found


def nothing_left(scratch):
    _, alive = psutil.wait_procs(of(scratch), timeout=LONG)
    return alive == [] and [path for path in scratch.iterdir() if path.is_dir()] == []


def test_a_job_is_judged_in_a_process_of_its_own(make_job, scratch):
    heard = []
    report = LocalExecutor().run(make_job(), heard.append)
    assert report.status == "passed", report.reason
    assert heard[0].phase == "start"
    assert {"build", "correctness"} <= {event.phase for event in heard}
    assert nothing_left(scratch)


def test_a_cancelled_job_leaves_nothing(make_job, scratch):
    executor, job = LocalExecutor(), make_job()

    def hear(event):
        if event.phase == "correctness" or event.phase == "build":
            threading.Thread(target=executor.cancel, args=(job.id,)).start()

    with pytest.raises(InfrastructureError, match="exit code 130"):
        executor.run(job, hear)
    assert nothing_left(scratch)
    assert executor.cancel(job.id) is False


def test_what_is_wrong_with_a_job_comes_back_as_the_same_error(make_job):
    job = msgspec.structs.replace(make_job(), device="cuda:99")
    with pytest.raises(UsageError) as caught:
        LocalExecutor().run(job, lambda event: None)
    assert "cuda:99" in caught.value.message
    assert caught.value.hint


@pytest.mark.slow
def test_nothing_outlives_a_front_end_that_is_killed(make_job, scratch, tmp_path):
    order = tmp_path / "job.json"
    order.write_bytes(msgspec.json.encode(make_job("import time\n\n\ndef solve(a, b, out, n):\n    time.sleep(60)\n")))
    front_end = subprocess.Popen(
        [sys.executable, "-c", FRONT_END, str(order)], stdout=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"TMPDIR": str(scratch)},
    )  # fmt: skip
    with front_end.stdout as said:
        while "build" not in said.readline():
            assert front_end.poll() is None
        assert len(of(scratch)) > 1
        front_end.send_signal(signal.SIGKILL)
        front_end.wait(LONG)
    assert nothing_left(scratch)


def test_a_signal_at_the_end_of_a_runner_that_has_spoken_changes_nothing(make_job, scratch):
    read, write = os.pipe()
    runner = subprocess.Popen(
        [sys.executable, "-c", LEAVES_WHILE_TOLD_TO_END, str(write)], pass_fds=[write], stdin=subprocess.PIPE,
        stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(scratch)},
    )  # fmt: skip
    os.close(write)
    runner.stdin.write(msgspec.json.encode(make_job()) + b"\n")
    runner.stdin.flush()  # and stays open: the signal is the one at the end
    with runner, os.fdopen(read, "rb") as pipe:
        said = [decode(line) for line in pipe]
        assert (runner.wait(LONG), runner.stderr.read()) == (0, b"")
    assert said[-1] == Failed(kind="UsageError", message="no", hint="")


def test_a_message_that_is_cut_short_is_none():
    line = encode(Failed(kind="UsageError", message="no\nnewline", hint=""))
    assert line.count(b"\n") == 1
    assert decode(line) == Failed(kind="UsageError", message="no\nnewline", hint="")
    with pytest.raises(msgspec.MsgspecError):
        decode(line[:-4])


def test_the_wire_takes_the_folder_of_modules_from_nowhere(make_job, tmp_path, monkeypatch):
    (tmp_path / "msgspec.py").write_text("raise SystemExit(7)\n")
    monkeypatch.chdir(Path(tmp_path))
    assert LocalExecutor().run(make_job(), lambda event: None).status == "passed"
