"""Nobody gets out; and the attempts are alive, for without the sandbox they do."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALIVE = 30
"""Ways out that the attempts must find without a sandbox; a blind probe would prove nothing."""


def test_without_a_sandbox_there_are_ways_out(control):
    assert sum(word == "OUT" for word in control.values()) >= ALIVE, control


def test_no_attempt_gets_out(mode, escapes, control):
    found = escapes(mode)
    assert len(found) >= 60
    assert [name for name, word in found.items() if word == "OUT"] == []


@pytest.mark.parametrize(
    "name", ["memory", "shared_memory", "anonymous_files", "segments", "files_on_their_way", "memory_of_many"]
)
def test_memory_is_limited(boxed, mode, name):
    ended = boxed(mode, name)["exit"]
    assert "GOT IT" not in ended["output"], ended
    assert ended["killed"] == "memory" or ended["code"] != 0, ended


def test_descriptors_on_their_way_leave_some_to_others(boxed, mode):
    said = boxed(mode, "many_on_their_way")
    assert "Too many references" in said["exit"]["output"]
    assert len(said["sent"]) > 5
    assert all(said["sent"])


def test_what_ignores_sigterm_ends_too(boxed, mode):
    ended = boxed(mode, "never_ends", {"wall_s": 1.0})["exit"]
    assert ended["killed"] == "timeout"
    assert "GOT IT" not in ended["output"]


def test_a_flood_of_output_is_cut(boxed, mode):
    ended = boxed(mode, "floods")["exit"]
    assert (ended["code"], ended["truncated"]) == (0, True)
    assert len(ended["output"]) < (1 << 18) + 100


def test_a_daemon_ends_with_the_rest(boxed, mode, world):
    assert boxed(mode, "leaves_a_daemon")["exit"]["code"] == 0
    assert processes_with(json.dumps(world["marker"]) + ",") == []


def test_the_probe_refuses_real_capabilities(world):
    if os.geteuid():
        pytest.skip("needs root, to hold some")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", HERE / "probe", json.dumps(world)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("refused")


def test_when_the_supervisor_is_killed_nothing_is_left(tmp_path):
    from kernelbot_core import Mount, SandboxLimits
    from kernelbot_core.runner.visible import interpreter
    from kernelbot_sandbox_bwrap import BwrapSandbox

    box = BwrapSandbox()
    if not box.available().ok:
        pytest.skip(f"NO SANDBOX: {box.available().why}")
    marker = f"left-over-{os.getpid()}"
    process = box.start(
        [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)", marker], env={}, folder=str(tmp_path),
        mounts=[Mount(path=path) for path in interpreter()], limits=SandboxLimits(wall_s=60, memory=1 << 28), fds=[],
    )  # fmt: skip
    python = os.fsencode(sys.executable) + b"\0"
    [pid] = until(lambda: [pid for pid in processes_with(marker) if command_line(pid).startswith(python)])
    [user] = users_of(pid)
    assert user > 60000 if os.geteuid() == 0 else user == os.geteuid()  # never root, and for the host too
    os.kill(supervisor_of(pid), signal.SIGKILL)
    until(lambda: not processes_with(marker))
    assert process.wait(10).killed == "supervisor died"


def until(question):
    deadline = time.monotonic() + 20
    while not (answer := question()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return answer


def command_line(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def processes_with(text):
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return sorted(pid for pid in pids if pid != os.getpid() and text.encode() in command_line(pid))


def users_of(pid):
    """All four user ids, as the host counts."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid"))
    return set(map(int, line.split()[1:]))


def supervisor_of(pid):
    """The first one above that is no bubblewrap: what forked them."""
    while True:
        line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("PPid"))
        pid = int(line.split()[1])
        if b"kernelbot_core" in command_line(pid) or pid <= 1:
            assert pid > 1
            return pid
