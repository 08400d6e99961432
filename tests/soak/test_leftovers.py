"""The soak's eyes are open: each kind of leftover is seen, else an empty list would prove nothing."""

import fcntl
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from kills.leftovers import Before, adopting

ORPHAN = """import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    os._exit(0)
os.wait()
"""


@contextmanager
def an_orphan(scratch):
    subprocess.run([sys.executable, "-I", "-S", "-c", ORPHAN], check=True)
    yield
    for pid in Path("/proc/self/task", str(os.getpid()), "children").read_text().split():
        if ORPHAN.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(int(pid), signal.SIGKILL)
            os.waitpid(int(pid), 0)


@contextmanager
def a_folder(scratch):
    path = scratch / "kernelbot-job-1-x"
    path.mkdir()
    yield
    path.rmdir()


@contextmanager
def a_lock(scratch):
    with (scratch / "kernelbot-cpu.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize(
    ("leave", "word"),
    [(an_orphan, "process"), (a_folder, "folder"), (a_lock, "lock")],
    ids=["orphan", "folder", "lock"],
)
def test_a_leftover_is_seen(tmp_path, leave, word):
    with adopting():
        before = Before(tmp_path)
        assert before.added(set()) == []
        with leave(tmp_path):
            assert [line.split()[0] for line in before.added(set())] == [word]
        assert before.added(set()) == []


def test_a_control_group_is_seen(tmp_path):
    bases = [Path("/sys/fs/cgroup/kernelbot"), *Path("/sys/fs/cgroup").glob("*/kernelbot")]
    base = next((base for base in bases if os.access(base, os.W_OK)), None)
    if base is None:
        pytest.skip("no control group of kernelbot can be made here")
    folder = base / f"{os.getpid()}-999"
    folder.mkdir()
    try:
        assert Before(tmp_path).added({os.getpid()}) == [f"control group {folder}"]
    finally:
        folder.rmdir()
