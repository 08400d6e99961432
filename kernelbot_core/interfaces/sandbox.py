"""What a process of a job is locked into."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

if TYPE_CHECKING:
    from kernelbot_core.model.device import Availability


class Mount(Struct, frozen=True, kw_only=True):
    """A file or folder that the process may read, at the same path; what it writes goes to its own folder."""

    path: str
    device: bool = False
    """A device node, which it may write to."""


MOST_FILES = 1 << 14
"""Descriptors that a runner may hold, where the machine allows as many."""


class SandboxLimits(Struct, frozen=True, kw_only=True):
    """Limits of one process tree."""

    wall_s: float
    memory: int
    """Bytes of anonymous and shared memory; files in a folder that is kept in memory count."""
    pids: int = 1024
    output: int = 1 << 20
    """Bytes of stdout and stderr that are kept; the rest is drained and dropped."""
    disk: int = 2 << 30
    """Bytes in the process's own folder."""
    files: int = MOST_FILES // 4
    """Descriptors that a process may hold, in proportion where the machine allows fewer than :data:`MOST_FILES`.

    What is under way in sockets counts for all processes of a user: the judge, who may be the same, is allowed more."""
    cpus: list[int] = []
    """Logical processors that it runs on; empty for those of whoever starts it."""
    trace: bool = False
    """May trace processes of its own, as memory checkers do."""


class Exit(Struct, frozen=True, kw_only=True):
    """How a sandboxed process ended."""

    code: int | None
    """Exit code; None when killed by a signal."""
    signal: int | None = None
    killed: str = ""
    """Why *we* killed it: ``timeout``, ``memory``, ``pids``, ``asked``; empty when it ended by itself."""
    lost: bool = False
    """What held it has died, so that nothing is known of the process itself: the machine's fault, nobody else's."""
    output: str = ""
    truncated: bool = False
    seconds: float = 0.0
    peak_memory: int = 0


class Process(ABC):
    """A started process and everything it forks."""

    pidfd: int
    """Readable once the process has ended."""

    @abstractmethod
    def poll(self) -> Exit | None:
        """None while it runs."""

    @abstractmethod
    def wait(self, timeout: float | None = None) -> Exit | None:
        """Wait for the end."""

    @abstractmethod
    def kill(self, why: str = "asked") -> Exit:
        """Kill the whole tree; nothing of it is left when this returns."""


WALLS = frozenset({"kill_all", "memory", "network", "filesystem"})
"""Guarantees without which strangers' code is not judged, and nothing is ranked."""


def walled(guarantees: Iterable[str]) -> bool:
    """Whether these guarantees make walls."""
    return set(guarantees) >= WALLS


class Sandbox(ABC):
    """A way to start untrusted processes; ``plugins/sandbox_process`` is the smallest one::

    class Bare(Sandbox):
        name = "bare"
        guarantees = frozenset()
        def available(self): return Availability(ok=True)
        def start(self, command, *, env, folder, mounts, limits, fds): ...

    @hookimpl
    def kernelbot_register_sandboxes():
        return [Bare]
    """

    name: ClassVar[str]
    guarantees: ClassVar[frozenset[str]]
    """What is promised: ``kill_all``, ``memory``, ``output``, ``wall``, ``pids``; behind walls also ``network`` (none),
    ``filesystem`` (reads what is mounted, writes nothing of the host's), ``disk``, ``processes`` (sees its own only)
    and ``devices``."""

    @abstractmethod
    def available(self) -> Availability:
        """By trial, with the exact fix when not. Runs in: controller and runner."""

    @abstractmethod
    def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: str,
        mounts: Sequence[Mount],
        limits: SandboxLimits,
        fds: Sequence[int],
    ) -> Process:
        """Start a command with exactly ``env``.

        :param folder: Its working folder, empty and its own; behind walls it is gone with the process.
        :param mounts: What it may see beside the system's programs and libraries.
        :param fds: Descriptors that it gets, under the same numbers, beside 0 (empty), 1 and 2 (kept as output).
        :raises OSError: It cannot be started.

        Runs in: runner.
        """

    def about(self) -> str:
        """How it works here, for the operator: version, mode, what counts the memory. Runs in: controller."""
        return ""
