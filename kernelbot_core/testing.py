"""Doubles for tests: a scripted worker and a scripted device, for judge and timing logic without a GPU."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

from kernelbot_core.interfaces.device import JudgeDevice, Link, Output, SharedBuffer
from kernelbot_core.interfaces.runner import Artifact, Role, Spawned
from kernelbot_core.interfaces.sandbox import Exit
from kernelbot_core.judge.decoys import as_words
from kernelbot_core.model.build import Build
from kernelbot_core.model.event import Event
from kernelbot_core.model.message import SIZE, Kind, Message

Script = Callable[[Message], Sequence[bytes | Message | None]]
"""What a scripted worker sends for a message; None closes its end."""


def honest(message: Message) -> list[Message | None]:
    """A worker that does what it is asked, at once."""
    match message.kind:
        case Kind.HELLO:
            return [Message(kind=Kind.HELLO)]
        case Kind.CALL if not message.flags & 2:
            return [Message(kind=Kind.QUEUED, id=message.id)]
        case Kind.BYE:
            return [None]
    return [Message(kind=Kind.DONE, id=message.id, scalars=(1e-6,))]


class ScriptedRunner:
    """A runner whose workers follow a script, byte for byte; implements :class:`Runner`."""

    def __init__(self, script: Script = honest, *, ended: Exit | None = None) -> None:
        self.events: list[Event] = []
        self.killed: list[str] = []
        self._script, self._ended = script, ended
        self._alive: list[tuple[int, int]] = []

    def spawn(self, role: Role) -> Spawned:
        """Start a thread that plays the worker."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        read, write = os.pipe()  # readable when the write end closes, like the pidfd of a process
        self._alive.append((read, write))
        threading.Thread(target=self._play, args=(theirs,), daemon=True).start()
        return Spawned(len(self._alive) - 1, read, ours)

    def exit(self, number: int, timeout: float) -> Exit | None:
        """The end that the test gave."""
        return self._ended

    def kill(self, number: int, why: str) -> Exit:
        """Note the reason."""
        self.killed.append(why)
        return self._ended or Exit(code=None, signal=9, killed=why)

    def artifact(self) -> Artifact:
        """Everything builds."""
        return Artifact(build=Build(ok=True))

    def event(self, event: Event) -> None:
        """Keep it."""
        self.events.append(event)

    def _play(self, end: socket.socket) -> None:
        with end, contextlib.suppress(OSError):  # the judge may hang up at any moment
            while data := end.recv(SIZE):
                for answer in self._script(Message.unpack(data)):
                    if answer is None:
                        return
                    end.send(answer.pack() if isinstance(answer, Message) else answer)


class ScriptedBuffer(SharedBuffer):
    """Holds a tensor of its own."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes, self.fd, self.tail_ok = nbytes, os.open(os.devnull, os.O_RDONLY), True
        self.data: Any = b""

    def tensor(self, dtype: str, shape: Sequence[int]) -> Any:
        return self.data

    def close(self) -> None:
        os.close(self.fd)


class ScriptedDevice(JudgeDevice):
    """A device whose clock says what the test tells it to, and that writes down the order of the steps.

    :param times: ns that pass between opening the gate and the own copy, call by call.
    """

    ranks_on = "T"
    max_sets = 1
    torch_device = "cpu"

    def __init__(self, index: int = 0, times: Sequence[int] = ()) -> None:
        self.steps: list[str] = []
        self._times, self._now, self._elapsed = list(times), 0, 0.0

    def control_fd(self) -> int:
        return -1

    def allocate(self, nbytes: int) -> ScriptedBuffer:
        return ScriptedBuffer(nbytes)

    def poison(self, buffer: SharedBuffer, seed: int) -> None:
        self.steps.append("poison")

    def tail_intact(self, buffer: SharedBuffer) -> bool:
        assert isinstance(buffer, ScriptedBuffer)
        return buffer.tail_ok

    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        self.steps.append("reveal")
        assert isinstance(buffer, ScriptedBuffer)
        buffer.data = master.clone()

    def correct(self, buffer: SharedBuffer, places: Any, values: Any) -> None:
        self.steps.append("correct")
        assert isinstance(buffer, ScriptedBuffer)
        as_words(buffer.data).scatter_(0, places, values)

    def unchanged(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> bool:
        assert isinstance(buffer, ScriptedBuffer)
        return bool((as_words(master) == as_words(buffer.data)).all())

    def flush(self) -> None:
        self.steps.append("flush")

    def synchronize(self) -> None:
        self.steps.append("synchronize")

    def through_gate(
        self, link: Link, call_id: bytes, limit: float, outputs: Sequence[Output]
    ) -> tuple[float, list[Any]]:
        self.steps.append("open")
        opened = self._now
        link.send(Kind.GO, call_id=call_id)
        self.wait_done(link, call_id, limit)
        copies = self.snapshot(outputs)
        return (self._now - opened) * 1e-9, copies

    def wait_done(self, link: Link, call_id: bytes, limit: float) -> None:
        self._elapsed = link.expect(Kind.DONE, call_id, limit)[0]
        self.steps.append("done")

    def collect(self, link: Link, call_id: bytes, limit: float) -> float:
        return self._elapsed

    def snapshot(self, outputs: Sequence[Output]) -> list[Any]:
        self.steps.append("snapshot")
        self._now += self._times.pop(0) if self._times else 1000
        return [one.buffer.tensor("", ()) for one in outputs]

    def clock(self) -> int:
        return self._now

    def copy_peak(self) -> float:
        return 1e9

    def close(self) -> None:
        """Nothing is held."""
