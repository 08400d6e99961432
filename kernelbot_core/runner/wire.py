"""Judge and runner in two processes: one SOCK_SEQPACKET pair, one request in flight, descriptors ride along.

A request is a packet. A reply may hold what a stranger printed, and its JSON can be six times as long: it comes in
memory of its own, as the first descriptor beside a packet of one byte.
"""

from __future__ import annotations

import os
import select
import socket
from typing import Literal

import msgspec
from msgspec import Struct

from kernelbot_core.errors import InfrastructureError
from kernelbot_core.interfaces.runner import Artifact, Role, Runner, Spawned
from kernelbot_core.interfaces.sandbox import Exit
from kernelbot_core.memory import read_only_memfd, taken
from kernelbot_core.model.event import Event

PACKET = 1 << 18
"""Bytes of the largest request."""
MAX_EXIT_WAIT_S = 600.0


class Request(Struct, frozen=True, kw_only=True):
    """What the judge asks."""

    verb: Literal["SPAWN", "EXIT", "KILL", "ARTIFACT", "EVENT"]
    role: Role = "submission"
    number: int = 0
    timeout: float = 0.0
    why: str = ""
    event: Event | None = None


class Reply(Struct, frozen=True, kw_only=True):
    """What the runner answers."""

    number: int = 0
    exit: Exit | None = None
    artifact: Artifact | None = None
    error: str = ""


class RemoteRunner:
    """The judge's end; implements :class:`Runner`."""

    def __init__(self, fd: int) -> None:
        self._socket = socket.socket(fileno=fd)

    def spawn(self, role: Role) -> Spawned:
        """Have a process started."""
        reply, fds = self._ask(Request(verb="SPAWN", role=role))
        control = socket.socket(fileno=fds[1]) if len(fds) > 1 else None
        return Spawned(reply.number, fds[0], control)

    def exit(self, number: int, timeout: float) -> Exit | None:
        """Have an end waited for."""
        return self._ask(Request(verb="EXIT", number=number, timeout=timeout))[0].exit

    def kill(self, number: int, why: str) -> Exit:
        """Have an end made."""
        ended = self._ask(Request(verb="KILL", number=number, why=why))[0].exit
        assert ended is not None
        return ended

    def artifact(self) -> Artifact:
        """Have the builder's result looked through."""
        artifact = self._ask(Request(verb="ARTIFACT"))[0].artifact
        assert artifact is not None
        return artifact

    def event(self, event: Event) -> None:
        """Tell progress."""
        self._ask(Request(verb="EVENT", event=event))

    def _ask(self, request: Request) -> tuple[Reply, list[int]]:
        self._socket.send(msgspec.json.encode(request))
        data, fds, _, _ = socket.recv_fds(self._socket, 1, 4)
        if not data:
            raise InfrastructureError("the runner has gone")
        body, *fds = fds
        try:
            reply = msgspec.json.decode(taken(body), type=Reply)
        finally:
            os.close(body)
        if reply.error:
            raise InfrastructureError(reply.error)
        return reply, fds


def serve(control: socket.socket, judge_pidfd: int, runner: Runner) -> None:
    """Answer the judge until it ends, hangs up or talks nonsense."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(judge_pidfd, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll()}
        if control.fileno() not in ready:
            return
        data = control.recv(PACKET)
        if not data:
            return
        try:
            reply, fds, ours = _answer(runner, msgspec.json.decode(data, type=Request))
        except (msgspec.MsgspecError, IndexError):
            return  # nothing that our end of the line says: code of the pack meddles
        try:
            body = read_only_memfd("kernelbot-reply", memoryview(msgspec.json.encode(reply)))
            ours = [*ours, body]
            socket.send_fds(control, [b"+"], [body, *fds])
        except OSError:
            return  # the judge has died in between
        finally:
            for fd in ours:
                os.close(fd)


def _answer(runner: Runner, request: Request) -> tuple[Reply, list[int], list[int]]:
    """The reply, the descriptors that go with it, and those to close afterwards."""
    match request.verb:
        case "SPAWN":
            try:
                spawned = runner.spawn(request.role)
            except InfrastructureError as exc:
                return Reply(error=exc.message), [], []
            ends = [spawned.pidfd] + ([spawned.control.detach()] if spawned.control else [])
            return Reply(number=spawned.number), ends, ends
        case "EXIT":
            return Reply(exit=runner.exit(request.number, min(request.timeout, MAX_EXIT_WAIT_S))), [], []
        case "KILL":
            return Reply(exit=runner.kill(request.number, request.why)), [], []
        case "ARTIFACT":
            try:
                return Reply(artifact=runner.artifact()), [], []
            except InfrastructureError as exc:
                return Reply(error=exc.message), [], []
        case "EVENT":
            assert request.event is not None
            runner.event(request.event)
    return Reply(), [], []
