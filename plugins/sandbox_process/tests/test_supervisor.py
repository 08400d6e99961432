"""Real processes under the supervisor: limits hold, and nothing is left."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernelbot_core import SandboxLimits
from kernelbot_sandbox_process import ProcessSandbox

LIMITS = SandboxLimits(wall_s=20, memory=200 << 20, pids=50, output=1000)


@pytest.fixture
def run(tmp_path):
    started = []

    def start(code, limits=LIMITS, env=None):
        command = [sys.executable, "-I", "-S", "-c", code]
        process = ProcessSandbox().start(command, env=env or {}, folder=str(tmp_path), mounts=[], limits=limits, fds=[])
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()


def alive(marker):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found += [entry.name] if marker.encode() in (entry / "cmdline").read_bytes() else []
            except OSError:
                continue
    return found


def test_exit_code_and_output(run):
    ended = run("print('hello'); raise SystemExit(3)").wait(20)
    assert (ended.code, ended.signal, ended.killed, ended.output) == (3, None, "", "hello\n")


def test_environment_is_exact(run):
    assert (
        run("import os; print(*sorted(os.environ))", env={"A": "1"}).wait(20).output == "A LC_CTYPE\n"
    )  # python sets it


def test_output_is_cut_in_the_middle(run):
    ended = run("print('a' * 5_000_000 + 'end')").wait(20)
    assert ended.code == 0
    assert ended.truncated
    assert len(ended.output) < 1100
    assert ended.output.endswith("end\n")


def test_memory(run):
    ended = run("hold = bytearray(400 << 20); import time; time.sleep(20)").wait(20)
    assert ended.killed == "memory"
    assert ended.peak_memory > 200 << 20


def test_memory_of_forks_is_counted_once(run):
    limits = SandboxLimits(wall_s=20, memory=200 << 20, pids=50, output=1000)
    code = """import os, time
hold = bytearray(60 << 20)
for _ in range(8):
    if os.fork() == 0: time.sleep(0.5); os._exit(0)
time.sleep(0.6)"""
    assert run(code, limits).wait(20).code == 0


def test_too_many_processes(run):
    code = "import os, time\nfor _ in range(200):\n  if os.fork() == 0: time.sleep(100)\ntime.sleep(100)"
    assert run(code).wait(20).killed == "pids"


def test_wall_time(run):
    limits = SandboxLimits(wall_s=0.3, memory=200 << 20, pids=50, output=1000)
    assert run("while True: pass", limits).wait(20).killed == "timeout"


def test_signal(run):
    assert run("import os; os.kill(os.getpid(), 11)").wait(20).signal == 11


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_orphans_die_too(run, how):
    marker = f"orphan-{os.getpid()}-{how}"
    sleeper = f"os.execv({sys.executable!r}, [{sys.executable!r}, '-c', 'import time; time.sleep(100)', {marker!r}])"
    code = f"""import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: {sleeper}
    os._exit(0)
time.sleep({0.5 if how == "ends" else 100})"""
    process = run(code)
    deadline = time.monotonic() + 10
    while not alive(marker):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    if how == "ends":
        process.wait(20)
    else:
        process.kill()
    assert alive(marker) == []


def test_kill_says_why(run):
    assert run("import time; time.sleep(100)").kill("because").killed == "because"


def test_poll_while_running(run):
    assert run("import time; time.sleep(100)").poll() is None


def nursery_of(pid):
    """Two above the command: its supervisor, and what forked that."""
    for _ in range(2):
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(next(line.split()[1] for line in status.splitlines() if line.startswith("PPid")))
    assert b"kernelbot_core.supervisor" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return pid


def until(question):
    deadline = time.monotonic() + 20
    while not (answer := question()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return answer


def test_when_the_nursery_is_killed_its_trees_end_and_the_next_start_works(run):
    marker = f"nursed-{os.getpid()}"
    process = run(f"import time; time.sleep(100) # {marker}")
    [pid] = until(lambda: alive(marker))
    os.kill(nursery_of(pid), signal.SIGKILL)
    until(lambda: not alive(marker))
    assert process.wait(20).killed == "supervisor died"
    assert run("print('again')").wait(20).output == "again\n"


def test_when_the_runner_is_killed_nothing_is_left():
    marker = f"runner-{os.getpid()}"
    code = """
import sys, time
from kernelbot_core import SandboxLimits
from kernelbot_sandbox_process import ProcessSandbox
limits = SandboxLimits(wall_s=60, memory=200 << 20)
inner = [sys.executable, "-I", "-S", "-c", "import os, time; os.fork() or os.setsid(); time.sleep(99) #" + sys.argv[1]]
process = ProcessSandbox().start(inner, env={}, folder="/", mounts=[], limits=limits, fds=[])
time.sleep(100)
"""
    with subprocess.Popen([sys.executable, "-c", code, marker]) as runner:
        until(lambda: len(alive(marker)) == 3)  # the runner itself, and two
        runner.kill()
    until(lambda: not alive(marker))


def test_when_a_supervisor_is_killed_its_orphans_end_and_the_next_start_works(run):
    marker = f"orphaned-{os.getpid()}"
    code = f"""import os, time  # {marker}
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
time.sleep(100)"""
    process = run(code)

    def adopter():
        """The parent of the command and, by adoption, of the orphan; None as long as there is one between."""
        with contextlib.suppress(FileNotFoundError):
            above = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] for pid in alive(marker)]
            return int(above[0]) if len(above) == 2 and above[0] == above[1] else None

    supervisor = until(adopter)
    assert b"kernelbot_core.supervisor" in Path(f"/proc/{supervisor}/cmdline").read_bytes()
    os.kill(supervisor, signal.SIGKILL)
    ended = process.wait(20)
    assert (ended.killed, ended.lost) == ("supervisor died", True)
    until(lambda: not alive(marker))
    assert run("print('again')").wait(20).output == "again\n"
