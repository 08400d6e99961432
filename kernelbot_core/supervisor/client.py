"""The runner's half: starts supervised processes and hears how they ended."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import resource
import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from kernelbot_core.interfaces.sandbox import MOST_FILES, Exit, Process, SandboxLimits

# A stand-in for the package: its real __init__ imports what a supervisor must not wait for.
BOOT = """
import sys, types
package = types.ModuleType("kernelbot_core")
package.__path__ = [sys.argv[1]]
sys.modules["kernelbot_core"] = package
from kernelbot_core.supervisor.nursery import main
main()
"""


PATIENCE_S = 5.0


class Supervised(Process):
    """One supervisor, its child and all that the child forked."""

    def __init__(self, control: socket.socket, pidfd: int, nursery: Nursery) -> None:
        self._control, self.pidfd, self._nursery = control, pidfd, nursery
        self._exit: Exit | None = None

    def poll(self) -> Exit | None:
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> Exit | None:
        if self._exit is None:
            poller = select.poll()
            poller.register(self._control, select.POLLIN)
            if not poller.poll(None if timeout is None else timeout * 1000):
                return None
            self._exit = self._last_word()
        return self._exit

    def kill(self, why: str = "asked") -> Exit:
        if self._exit is None:
            with contextlib.suppress(OSError):  # it may be ending by itself at this moment
                self._control.sendall(b"K" + why.encode()[:60])
            self._exit = self._last_word()
        return self._exit

    def _last_word(self) -> Exit:
        data = b""
        # A reset instead of an end of file: it left at the same moment, without having read our last word to it.
        with contextlib.suppress(ConnectionResetError):
            while part := self._control.recv(1 << 20):
                data += part
        select.select([self.pidfd], [], [])
        self._control.close()
        os.close(self.pidfd)
        with _LOCK:
            self._nursery.charges -= 1
        end_idle_nursery()
        if not data:
            return Exit(code=None, killed="supervisor died", lost=True)
        return msgspec.json.decode(data, type=Exit)


class Nursery:
    """The process that forks supervisors, started with the first of them."""

    def __init__(self) -> None:
        self.charges = 0
        """Supervisors whose last word has not been heard."""
        allow_descriptors()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            places = [str(Path(__file__).parents[1]), str(theirs.fileno())]
            self._popen = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-c", BOOT, *places, tempfile.gettempdir(), str(os.getpid())],
                pass_fds=[theirs.fileno(), *_held], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env={}, cwd="/", start_new_session=True,
            )  # fmt: skip

    def fork(self, fds: Sequence[int]) -> int:
        """Have a supervisor forked that holds ``fds``; returns its pidfd. Raises OSError when the nursery has gone."""
        socket.send_fds(self._line, [b"+"], list(fds))
        data, pidfds, _, _ = socket.recv_fds(self._line, 16, 1)
        if not data:
            raise BrokenPipeError("the supervisors' parent has gone")
        self.charges += 1
        return pidfds[0]

    def close(self) -> None:
        """Let it go; it ends by itself, and whoever ends after it leaves nothing behind."""
        self._line.close()
        with contextlib.suppress(subprocess.TimeoutExpired):  # it waits for a process that the kernel cannot end
            self._popen.wait(PATIENCE_S)


def allow_descriptors() -> None:
    """Raise this process's own limit.

    A process of the same user that keeps as many under way in sockets as its limit allows would leave us none to send.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < MOST_FILES and soft != hard:
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


_LOCK = threading.Lock()
_nurseries: dict[int, Nursery] = {}
"""By process id: a forked runner starts its own."""
_held: set[int] = set()
_folders: set[object] = set()
"""Stand for scratch folders, which it removes when this process is killed."""


@contextlib.contextmanager
def held_to_the_end(fd: int) -> Iterator[None]:
    """Have a descriptor kept open, such as a lock, until every process started meanwhile has gone.

    Holds also when this process is killed: supervisors and their parent have it too.
    """
    _held.add(fd)
    try:
        yield
    finally:
        _held.discard(fd)


def start_supervised(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    folder: str,
    limits: SandboxLimits,
    fds: Sequence[int],
    held: Sequence[int] = (),
    cgroups: Sequence[str] = (),
    by_shell: bool = False,
) -> Process:
    """Start a command below a supervisor.

    :param fds: Descriptors that it inherits under the same numbers.
    :param held: Descriptors that the supervisor keeps open until the last process has ended, such as locks.
    :param cgroups: Folders of control groups that it joins and that are removed afterwards, named
        ``<this process's id>-<number>``; without any, memory and processes are counted by the supervisor.
    :param by_shell: The command tells of a signal as a shell does, by the exit code 128 + signal.
    :raises OSError: It cannot be started.
    """
    order = {
        "command": list(command), "env": dict(env), "folder": folder, "fds": list(fds), "cgroups": list(cgroups),
        "limits": msgspec.to_builtins(limits), "by_shell": by_shell, "held": len(held),
    }  # fmt: skip
    ours, theirs = socket.socketpair()
    text = os.memfd_create("order")
    try:
        os.write(text, json.dumps(order).encode())
        os.lseek(text, 0, os.SEEK_SET)
        with theirs:
            pidfd, nursery = _fork([theirs.fileno(), text, *held, *fds])
    except BaseException:  # an interrupt too must not leave the socket open
        ours.close()
        raise
    finally:
        os.close(text)
    return Supervised(ours, pidfd, nursery)


def _fork(fds: list[int]) -> tuple[int, Nursery]:
    with _LOCK:
        here = os.getpid()
        if here in _nurseries:
            with contextlib.suppress(OSError):
                return _nurseries[here].fork(fds), _nurseries[here]
            _nurseries.pop(here).close()
        nursery = _nurseries[here] = Nursery()
        return nursery.fork(fds), nursery


def keep_nursery(folder: object) -> None:
    """Have the nursery started, and stay until :func:`let_go` for a scratch folder's sake that is about to be made.

    :param folder: Stands for it; it has no name yet.
    """
    with _LOCK:
        _folders.add(folder)
        with contextlib.suppress(OSError):  # told to whoever starts a process, if it cannot be started then either
            if os.getpid() not in _nurseries:
                _nurseries[os.getpid()] = Nursery()


def let_go(folder: object) -> None:
    """The scratch folder has been removed."""
    with _LOCK:
        _folders.discard(folder)
    end_idle_nursery()


def end_idle_nursery() -> None:
    """End the nursery unless a process or a scratch folder needs it; a later start makes a new one."""
    with _LOCK:
        nursery = _nurseries.get(os.getpid())
        if nursery is None or nursery.charges or _folders:
            return
        del _nurseries[os.getpid()]
    nursery.close()


@atexit.register
def end_nursery() -> None:
    """End the process that forks supervisors, whatever it holds."""
    nursery = _nurseries.pop(os.getpid(), None)
    if nursery is not None:
        nursery.close()
