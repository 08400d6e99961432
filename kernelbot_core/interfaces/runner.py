"""What the judge may ask of the runner: the judge itself starts nothing."""

from __future__ import annotations

import socket
from typing import Literal, Protocol

from msgspec import Struct

from kernelbot_core.interfaces.sandbox import Exit
from kernelbot_core.model.build import Build
from kernelbot_core.model.event import Event

Role = Literal["builder", "submission", "baseline"]


class Spawned(Struct, frozen=True):
    """A process that the runner has started for the judge."""

    number: int
    pidfd: int
    """Readable when it has ended; the judge closes it."""
    control: socket.socket | None
    """Our end of its SOCK_SEQPACKET pair; None for the builder."""


class Artifact(Struct, frozen=True, kw_only=True):
    """What the builder left, looked through by the runner: regular files only, size-capped."""

    build: Build
    sha256: str = ""
    seconds: float = 0.0


class Runner(Protocol):
    """In the same process for ``pytest PACK --submission=F``, at the other end of a socket otherwise."""

    def spawn(self, role: Role) -> Spawned:
        """Start a process in its sandbox. Raises InfrastructureError."""

    def exit(self, number: int, timeout: float) -> Exit | None:
        """How it ended, waiting at most ``timeout`` seconds; None while it runs."""

    def kill(self, number: int, why: str) -> Exit:
        """End it with everything below it."""

    def artifact(self) -> Artifact:
        """Result of the last builder."""

    def event(self, event: Event) -> None:
        """Tell whoever watches."""
