"""The judge's end of the socket to one worker. Every byte from there is distrusted, every wait has a limit."""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import socket
import struct
import time
from collections.abc import Sequence
from typing import NoReturn

from kernelbot_core.errors import CaseFailure
from kernelbot_core.interfaces.runner import Runner, Spawned
from kernelbot_core.interfaces.sandbox import Exit
from kernelbot_core.memory import sealed_memfd
from kernelbot_core.model.message import SIZE, Flag, Kind, Message, MessageError
from kernelbot_core.text import one_line
from kernelbot_core.worker import text

SEND_S = 10.0
"""How long a message may wait for room: one that never takes any off its socket fills it after some hundred."""
GRACE_S = 10.0
"""How long a process whose socket has closed may take to end."""


def _exception(said: str) -> str:
    """Type and message, in one line, of a traceback: what follows its last frame, which is indented."""
    lines = said.splitlines()
    frames = [number for number, line in enumerate(lines[:-1]) if line.startswith("  ")]
    return one_line(" ".join(lines[frames[-1] + 1 if frames else 0 :])) or "an exception"


def _seconds(value: float) -> tuple[int, int]:
    """As ``struct timeval`` has it."""
    return int(value), round(value % 1 * 1e6)


class WorkerLink:
    """Speaks with one worker; implements :class:`kernelbot_core.interfaces.device.Link`.

    Every failure raises :class:`CaseFailure`, after which the worker is dead and ``text`` and ``exit`` tell more.
    """

    def __init__(self, runner: Runner, spawned: Spawned, control_fd: int, *, ours: bool = False) -> None:
        assert spawned.control is not None
        self._ours = ours
        self._touched = False
        """The submission has been loaded there."""
        self._runner, self._number, self._socket = runner, spawned.number, spawned.control
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", *_seconds(SEND_S)))
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._poll.register(spawned.pidfd, select.POLLIN)
        self._pidfd, self._said = spawned.pidfd, ""
        self._text = _text_buffer()
        self._late: bytes | None = None
        self._waiting: Message | None = None
        self.control, self.calls, self.exit = control_fd, 0, None
        self.alive = True
        fds = [self._text[0]] + ([control_fd] if control_fd >= 0 else [])
        with contextlib.suppress(OSError):  # it has died already: told to whoever waits for its answer
            self._put(Message(kind=Kind.HELLO, id=os.urandom(16)), fds)

    exit: Exit | None

    @property
    def text(self) -> str:
        """What the worker left for the participant."""
        return text.read(self._text[1]) if self.alive else self._said

    def send(
        self,
        kind: Kind,
        *,
        call_id: bytes,
        cell: int = 0,
        flags: int = 0,
        dims: Sequence[int] = (),
        scalars: Sequence[float] = (),
        fds: Sequence[int] = (),
    ) -> None:
        """Send one message, with descriptors."""
        if kind is Kind.CALL:
            self.calls += 1
        self._touched = self._touched or (kind is Kind.LOAD and not self._ours)
        try:
            said = Message(
                kind=kind, id=call_id, cell=cell, flags=flags, dims=tuple(dims), scalars=tuple(scalars)
            )  # fmt: skip
            self._put(said, fds)
        except BlockingIOError:
            self.fail("protocol", f"its process has left messages unread for {SEND_S:g} s")
        except OSError:
            self._died()

    def _put(self, message: Message, fds: Sequence[int]) -> None:
        socket.send_fds(self._socket, [message.pack()], list(fds))

    def expect(self, kind: Kind, call_id: bytes, limit: float) -> tuple[float, ...]:
        """Wait for the one answer that may come now and return its scalars."""
        message = self._receive(limit)
        if message is None:
            self.fail("timeout", f"no answer within {limit:g} s")
        if message.kind is Kind.QUEUED and message.id == self._late == call_id:
            self._late = None  # the watchdog had opened the gate before it came
            return self.expect(kind, call_id, limit)
        self._check(message, kind, call_id)
        return message.scalars

    def queued(self, call_id: bytes, limit: float) -> bool:
        """Wait for QUEUED; False when it has not come within ``limit`` (it may then come later)."""
        message = self._receive(limit)
        if message is None:
            self._late = call_id
            return False
        self._check(message, Kind.QUEUED, call_id)
        return True

    def peek(self) -> bool:
        """Whether a message lies there; a late QUEUED is taken away, anything else stays for ``expect``."""
        message = self._waiting or self._receive(0)
        if message is not None and message.kind is Kind.QUEUED and message.id == self._late:
            self._late = message = None
        self._waiting = message
        return message is not None

    def expect_failure(self, call_id: bytes) -> NoReturn:
        """A message came although the call is not done: an exception of the participant's, or a lie."""
        self.expect(Kind.RAISED, call_id, 0)
        self.fail("protocol", "the submission's process said done before its work was done")

    def check_alive(self) -> None:
        """Notice death and unasked-for messages without waiting."""
        message = self._receive(0)
        if message is not None and not (message.kind is Kind.QUEUED and message.id == self._late):
            self.fail("protocol", "the submission's process spoke out of turn")
        if message is not None:
            self._late = None

    def fail(self, status: str, reason: str) -> NoReturn:
        """End the worker and raise."""
        self.close(reason)
        raise CaseFailure(status, reason)

    def close(self, why: str = "asked") -> None:
        """End the worker, with everything that it started."""
        if self.alive:
            self.alive = False
            self.exit = self._runner.kill(self._number, why)
            self._hang_up()

    def _hang_up(self) -> None:
        """Give every descriptor back; what the worker left as text is kept."""
        self._socket.close()
        self._said = text.read(self._text[1])
        self._text[1].close()
        os.close(self._text[0])
        os.close(self._pidfd)

    def _check(self, message: Message, kind: Kind, call_id: bytes) -> None:
        if message.id != call_id:
            self.fail("protocol", "the submission's process answered a call that is not open")
        if message.kind is Kind.RAISED:
            self._raised(message.flags)
        if message.kind is not kind:
            self.fail("protocol", f"the submission's process said {message.kind.name} instead of {kind.name}")

    def _raised(self, flags: int) -> NoReturn:
        said = self.text.strip()
        last = _exception(said)
        if flags & Flag.BAD_RESULT:
            raise CaseFailure("wrong", f"the submission says: {last}")
        if flags & Flag.OUT_OF_MEMORY:
            self.fail("out_of_memory", f"the submission says: {last}")
        if "CUDA" in said:  # such an error sticks to the context: nothing later in this process can be believed
            self.fail("crashed", f"the submission raised {last}")
        raise CaseFailure("crashed", f"the submission raised {last}")

    def _receive(self, limit: float) -> Message | None:
        """One message, or None after ``limit`` seconds."""
        if self._waiting is not None:
            message, self._waiting = self._waiting, None
            return message
        deadline = time.monotonic() + limit
        while True:
            ready = {fd for fd, _ in self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000)}
            if self._socket.fileno() in ready:
                try:
                    data = self._socket.recv(SIZE + 1, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    continue
                except OSError:
                    self._died()
                if not data:
                    self._died()
                try:
                    return Message.unpack(data)
                except MessageError as exc:
                    self.fail("protocol", f"the submission's process sent {exc}")
            if ready:
                self._died()
            if time.monotonic() >= deadline:
                return None

    def _died(self) -> NoReturn:
        self.exit = self._runner.exit(self._number, GRACE_S)
        if self.exit is None:
            self.fail("protocol", "the submission closed its connection to the judge")
        self.alive = False
        self._hang_up()
        status, reason = death(self.exit)
        if not self._touched and status == "crashed":  # nothing of the submission's ran there
            who = "the baseline" if self._ours else "a process that had not loaded the submission yet"
            raise CaseFailure("infrastructure", f"{who} has died: {reason}")
        raise CaseFailure(status, reason)


def death(ended: Exit) -> tuple[str, str]:
    """Status and reason for a process that ended without being asked."""
    if ended.lost:
        return "infrastructure", f"the process was lost: its {ended.killed}"
    if ended.killed == "memory":
        return "out_of_memory", f"used more memory than the limit ({ended.peak_memory / 2**30:.1f} GiB)"
    if ended.killed == "timeout":
        return "timeout", "the process reached its time limit"
    if ended.killed == "pids":
        return "crashed", "started more processes than the limit"
    if ended.signal is not None:
        return "crashed", f"the process was ended by signal {ended.signal}"
    return "crashed", f"the process left with exit code {ended.code}"


def _text_buffer() -> tuple[int, mmap.mmap]:
    fd = sealed_memfd("kernelbot-text", text.TEXT_SIZE)
    return fd, mmap.mmap(fd, text.TEXT_SIZE)
