"""Sandboxes: a sure end, an exact environment, and each promised guarantee proved."""

from __future__ import annotations

import json
import os
import select
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from kernelbot_core.interfaces.sandbox import Exit, Mount, Process, Sandbox, SandboxLimits
from kernelbot_core.runner.visible import interpreter

ENV = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "KB_CONFORMANCE": "1"}
LIMITS = SandboxLimits(wall_s=30, memory=2 << 30)
WAIT = 60.0


@pytest.fixture
def box(sandbox: Sandbox) -> Sandbox:
    """The sandbox, or a skip with its own reason."""
    here = sandbox.available()
    if not here.ok:
        pytest.skip(f"{sandbox.name}: {here.why}")
    return sandbox


def needs(box: Sandbox, guarantee: str) -> None:
    """Skip where the sandbox does not promise that."""
    if guarantee not in box.guarantees:
        pytest.skip(f"{box.name} does not promise {guarantee}")


def start(
    box: Sandbox,
    code: str,
    folder: Path,
    *,
    limits: SandboxLimits = LIMITS,
    fds: Sequence[int] = (),
    mounts: Sequence[Mount] = (),
) -> Process:
    """Start a few lines of Python."""
    mounts = [*(Mount(path=path) for path in interpreter()), *mounts]
    command = [sys.executable, "-I", "-S", "-c", code, *map(str, fds)]
    return box.start(command, env=ENV, folder=str(folder), mounts=mounts, limits=limits, fds=fds)


def run(
    box: Sandbox,
    code: str,
    folder: Path,
    *,
    limits: SandboxLimits = LIMITS,
    fds: Sequence[int] = (),
    mounts: Sequence[Mount] = (),
) -> Exit:
    """Run it to its end."""
    process = start(box, code, folder, limits=limits, fds=fds, mounts=mounts)
    ended = process.wait(WAIT)
    if ended is None:
        process.kill()
        pytest.fail("it did not end")
    return ended


def test_available_gives_a_reason(sandbox: Sandbox) -> None:
    """What is missing is named together with what helps."""
    here = sandbox.available()
    assert here.ok or (here.why and here.fix)


def test_how_it_ended_is_told(box: Sandbox, tmp_path: Path) -> None:
    """Exit code, or signal, never both; ended by itself is not killed."""
    assert run(box, "raise SystemExit(7)", tmp_path).code == 7
    crashed = run(box, "import os; os.kill(os.getpid(), 11)", tmp_path)
    assert (crashed.code, crashed.signal, crashed.killed) == (None, 11, "")


def test_output_is_kept(box: Sandbox, tmp_path: Path) -> None:
    """Both streams; there is nothing to read on stdin."""
    ended = run(box, "import sys; print('out'); sys.stderr.write('err'); print(len(sys.stdin.read()))", tmp_path)
    assert ended.code == 0, ended.output
    assert "out" in ended.output
    assert "err" in ended.output
    assert "0" in ended.output.splitlines() or ended.output.rstrip().endswith("0")


def test_output_has_a_cap(box: Sandbox, tmp_path: Path) -> None:
    """10 MB are drained, so that the process ends, and dropped."""
    limits = SandboxLimits(wall_s=30, memory=2 << 30, output=1000)
    ended = run(box, "for _ in range(1000): print('x' * 10000)", tmp_path, limits=limits)
    assert ended.code == 0
    assert ended.truncated
    assert len(ended.output) <= 1100  # a mark of what is missing may stand in it


def test_the_environment_is_exactly_what_was_given(
    box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the caller's: that is where secrets are. The name of its own folder may stand there too."""
    monkeypatch.setenv("KB_SECRET", "do not tell")
    ended = run(box, "import json, os; print(json.dumps(dict(os.environ)))", tmp_path)
    assert json.loads(ended.output) in (ENV, ENV | {"PWD": str(tmp_path)})


def test_it_starts_in_its_folder(box: Sandbox, tmp_path: Path) -> None:
    """And may write there; behind walls that never reaches this machine."""
    ended = run(box, "import os; open('made', 'w').write('here'); print(os.getcwd(), os.listdir())", tmp_path)
    assert ended.code == 0, ended.output
    assert ended.output.split() == [str(tmp_path), "['made']"]
    assert (tmp_path / "made").exists() == ("filesystem" not in box.guarantees)


def test_descriptors_are_exactly_those_given(box: Sandbox, tmp_path: Path) -> None:
    """Under the same numbers; everything else of ours is closed."""
    ours, theirs = socket.socketpair()
    code = """
import os, sys
print([n for n in map(int, os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{n}")], flush=True)
os.write(int(sys.argv[1]), b"hello")
"""
    with ours, theirs:
        ended = run(box, code, tmp_path, fds=[theirs.fileno()])
        assert ours.recv(16) == b"hello", ended.output
        assert set(json.loads(ended.output)) <= {0, 1, 2, theirs.fileno()}


def test_poll_and_pidfd(box: Sandbox, tmp_path: Path) -> None:
    """None while it runs; the descriptor becomes readable at the end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = start(box, "import os, sys; os.read(int(sys.argv[1]), 1)", tmp_path, fds=[theirs.fileno()])
        assert process.poll() is None
        assert process.wait(0.01) is None
        waiter = select.poll()
        waiter.register(process.pidfd, select.POLLIN)
        ours.send(b"x")
        assert waiter.poll(WAIT * 1000)
        ended = process.wait(WAIT)
        assert ended is not None
        assert ended.code == 0


def test_kill_leaves_nothing(box: Sandbox, tmp_path: Path) -> None:
    """Children in sessions of their own included: the pipe they all hold is closed by everybody."""
    reader, writer = os.pipe()
    code = """
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(int(sys.argv[1]), b"x")
            time.sleep(600)
        os._exit(0)
time.sleep(600)
"""
    process = start(box, code, tmp_path, fds=[writer])
    os.close(writer)
    seen = b""
    while len(seen) < 3:
        seen += os.read(reader, 3)
    ended = process.kill("asked")
    assert ended.killed == "asked"
    assert os.read(reader, 1) == b"", "somebody still holds the pipe"
    os.close(reader)
    assert process.kill("again") == ended


def test_wall_clock_limit(box: Sandbox, tmp_path: Path) -> None:
    """A loop ends, and the reason is told."""
    ended = run(box, "while True: pass", tmp_path, limits=SandboxLimits(wall_s=1, memory=2 << 30))
    assert ended.killed == "timeout"


def test_memory_limit(box: Sandbox, tmp_path: Path) -> None:
    """More than is allowed is not got, or ends it."""
    needs(box, "memory")
    code = "import time; x = bytearray(600 << 20); x[::4096] = b'x' * len(x[::4096]); time.sleep(20); print('got it')"
    ended = run(box, code, tmp_path, limits=SandboxLimits(wall_s=30, memory=200 << 20))
    assert "got it" not in ended.output
    assert ended.killed == "memory" or ended.code not in {0, None}


def test_process_limit(box: Sandbox, tmp_path: Path) -> None:
    """More processes than are allowed are not got, or end it."""
    needs(box, "pids")
    code = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
time.sleep(20)
print("got it")
"""
    ended = run(box, code, tmp_path, limits=SandboxLimits(wall_s=30, memory=2 << 30, pids=16))
    assert "got it" not in ended.output
    assert ended.killed == "pids" or ended.code not in {0, None}


def test_no_network(box: Sandbox, tmp_path: Path) -> None:
    """Not even to this machine, by name of an address or of a socket."""
    needs(box, "network")
    name = f"kernelbot-conformance-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen()
        port = server.getsockname()[1]
        tcp = run(box, f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('in')", tmp_path)
        unix = run(
            box, f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name}'); print('in')", tmp_path
        )  # fmt: skip
    for ended in (tcp, unix):
        assert ended.code != 0
        assert "in" not in ended.output.splitlines()


def test_no_other_files(box: Sandbox, tmp_path: Path) -> None:
    """What is not mounted is not there."""
    needs(box, "filesystem")
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.write_text("secret")
    ended = run(box, f"print(open({str(outside)!r}).read())", inside)
    assert ended.code != 0
    assert "secret" not in ended.output.splitlines()


def test_what_is_mounted_cannot_be_written(box: Sandbox, tmp_path: Path) -> None:
    """Neither changed nor added to."""
    needs(box, "filesystem")
    given, inside = tmp_path / "given", tmp_path / "inside"
    given.mkdir()
    inside.mkdir()
    (given / "file").write_text("as it was")
    for path in (given, given / "file"):
        path.chmod(0o777)
    code = f"""
for path in ({str(given / "file")!r}, {str(given / "new")!r}):
    try:
        open(path, "w").write("mine")
        print("wrote", path)
    except OSError:
        pass
print(open({str(given / "file")!r}).read())
"""
    ended = run(box, code, inside, mounts=[Mount(path=str(given))])
    assert ended.output.strip() == "as it was", ended.output
    assert [path.name for path in given.iterdir()] == ["file"]


def test_disk_limit(box: Sandbox, tmp_path: Path) -> None:
    """Its own folder is full at some point, and so is every other place that it may write to."""
    needs(box, "disk")
    code = """
for place in (".", "/tmp", "/dev/shm"):
    written = 0
    try:
        with open(place + "/big", "wb", buffering=0) as file:
            while written < 1 << 29:
                written += file.write(b"x" * (1 << 20))
        print("got it")
    except OSError:
        pass
"""
    ended = run(box, code, tmp_path, limits=SandboxLimits(wall_s=30, memory=2 << 30, disk=32 << 20))
    assert ended.code == 0, ended.output
    assert "got it" not in ended.output


def test_no_other_processes(box: Sandbox, tmp_path: Path) -> None:
    """None is seen but its own, and none can be signalled."""
    needs(box, "processes")
    ended = run(box, "import os; print(*sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))", tmp_path)
    assert ended.code == 0
    assert len(ended.output.split()) <= 3, "its own, and what stands above it inside"


def test_no_token_of_the_caller_anywhere(box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the environment of the first process either, which the sandbox itself may have started."""
    needs(box, "processes")
    monkeypatch.setenv("KB_SECRET", "do-not-tell")
    code = """
import glob
for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
    try:
        print(open(path, "rb").read())
    except OSError:
        pass
"""
    assert "do-not-tell" not in run(box, code, tmp_path).output


def test_no_rights(box: Sandbox, tmp_path: Path) -> None:
    """No capability, no new one by a set-user-id program, and not root."""
    needs(box, "filesystem")
    ended = run(box, "print(open('/proc/self/status').read())", tmp_path)
    status = dict(line.split(":\t", 1) for line in ended.output.splitlines() if ":\t" in line)
    assert {status[name].strip("0") for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")} == {""}
    assert status["NoNewPrivs"] == "1"
    assert status["Uid"].split()[0] != "0"
