"""The loop of a worker: load, prepare buffers, call, answer. One message in, one answer out (two for a call)."""

from __future__ import annotations

import importlib
import mmap
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from kernelbot_core.interfaces.device import WorkerDevice
from kernelbot_core.interfaces.language import Language, Solve
from kernelbot_core.model.build import Build, WorkerOrder
from kernelbot_core.model.message import SIZE, Flag, Kind, Loop, Message
from kernelbot_core.worker import baseline, exact, result, text
from kernelbot_core.worker.caches import Caches
from kernelbot_core.worker.stand_in import clearing, stand_in

MAX_FDS = 250


def import_object(spec: str) -> Any:
    """The object of ``module:name``."""
    module, _, name = spec.partition(":")
    return getattr(importlib.import_module(module), name)


class Worker:
    """State of one worker: device, loaded functions, mapped buffer sets."""

    def __init__(self, control: socket.socket, order: WorkerOrder) -> None:
        self._control, self._order = control, order
        self._labels = list(order.bindings)
        self._dims: tuple[int, ...] = ()
        self._label = ""
        self._sets: list[list[Any]] = []
        self._solves: dict[str, Solve] = {}
        self._returns = False
        self._calls = 0
        self._text: mmap.mmap | None = None
        self._caches = Caches()
        self._language: Language | None = import_object(order.language)() if order.language else None
        device_class: type[WorkerDevice] = import_object(order.device)  # takes seconds, as the judge's own import does
        first = self._receive()[1]  # the control page and the text buffer come before anything else
        self._text = mmap.mmap(first[0], text.TEXT_SIZE)
        self._device = device_class(order.index, first[1] if len(first) > 1 else -1)

    def serve(self) -> None:
        """Answer until BYE or the end of the connection."""
        self._answer(Message(kind=Kind.HELLO))
        while True:
            message, fds = self._receive()
            match message.kind:
                case Kind.BYE:
                    return
                case Kind.LOAD:
                    self._fill(fds)
                    self._guarded(message, self._load)
                case Kind.FREEZE:
                    self._caches.freeze(fds[0])
                    os.close(fds[0])
                    self._answer(Message(kind=Kind.DONE, id=message.id))
                case Kind.PREPARE:
                    self._guarded(message, self._prepare, fds)
                case Kind.DROP:
                    self._drop()
                    self._answer(Message(kind=Kind.DONE, id=message.id))
                case Kind.CALL:
                    self._call(message)
                case Kind.LOOP:
                    self._loop(message)
                case _:
                    return

    def _receive(self) -> tuple[Message, list[int]]:
        data, fds, _, _ = socket.recv_fds(self._control, SIZE, MAX_FDS)
        if not data:
            raise SystemExit(0)  # the judge has gone
        return Message.unpack(data), fds

    def _answer(self, message: Message) -> None:
        self._control.send(message.pack())

    def _guarded(self, message: Message, step: Callable[..., None], *more: Any) -> None:
        try:
            step(message, *more)
        except SystemExit:
            raise
        except BaseException as exc:  # noqa: BLE001 - foreign code: the participant gets their own traceback
            self._raised(message, exc)
        else:
            self._answer(Message(kind=Kind.DONE, id=message.id))

    def _raised(self, message: Message, exc: BaseException) -> None:
        flags = Flag.NONE
        if isinstance(exc, result.BadResultError):
            flags = Flag.BAD_RESULT
        elif (
            isinstance(exc, MemoryError) or "out of memory" in str(exc).lower() or "can't allocate" in str(exc).lower()
        ):
            flags = Flag.OUT_OF_MEMORY
        if self._text is not None:
            text.write(self._text, str(exc) if flags == Flag.BAD_RESULT else text.own_traceback(exc))
        if self._order.sanitize and "CUDA" in str(exc):
            raise SystemExit(1)  # the checker ends with this process, and prints the rest of what it knows
        self._answer(Message(kind=Kind.RAISED, id=message.id, flags=flags))

    def _fill(self, fds: list[int]) -> None:
        for fd in fds:
            self._caches.fill(fd)
            os.close(fd)

    def _load(self, message: Message) -> None:
        label = self._labels[message.cell]
        if label in self._solves:
            return
        folder = Path(self._order.artifact)
        if self._language is None:
            self._solves[label] = baseline.load(folder, self._order.signature)
            return
        build = msgspec.json.decode((folder / "build.json").read_bytes(), type=Build)
        self._returns = build.returns_value
        self._solves[label] = self._language.load(folder, build, label, self._order.signature)

    def _prepare(self, message: Message, fds: list[int]) -> None:
        self._drop()
        signature = self._order.signature
        self._label = self._labels[message.cell]
        dims = dict(zip(signature.dims, message.dims, strict=False))
        binding = self._order.bindings[self._label]
        shapes, dtypes = signature.shapes(dims), signature.dtypes(binding)
        sizes = signature.nbytes(dims, binding)
        per_set = len(shapes)
        self._scalars = signature.scalar_values(dims)
        for start in range(0, len(fds), per_set):
            self._sets.append(
                [
                    self._device.map(fd, size, dtype, shape, writable=self._writable(i))
                    for i, (fd, size, dtype, shape) in enumerate(
                        zip(fds[start : start + per_set], sizes, dtypes, shapes, strict=True)
                    )
                ]
            )
        for fd in fds:
            os.close(fd)

    def _writable(self, place: int) -> bool:
        return place >= len(self._order.signature.inputs)

    def _drop(self) -> None:
        sets, self._sets = self._sets, []
        for tensors in sets:
            self._device.unmap(tensors)

    def _nothing(self, message: Message) -> Callable[[], object]:
        """A call of nothing; one that lasts writes the outputs at its end, for copies take longer after writes."""
        seconds = message.scalars[0]
        idle = self._device.null(seconds)
        if not seconds:
            return idle
        clear = clearing(self._sets[message.cell][len(self._order.signature.inputs) :])

        def call() -> None:
            idle()
            clear()

        return call

    def _bound(self, message: Message) -> Callable[[], object]:
        """What is timed. Copying returned outputs is a part of it: else claiming a copy would be a way to lie."""
        if message.flags & Flag.NULL:
            return self._nothing(message)
        if message.flags & Flag.STAND_IN:
            tensors, count = self._sets[message.cell], len(self._order.signature.inputs)
            return stand_in(tensors[:count], tensors[count:])
        arguments, outputs = self._arguments(message.cell)
        solve = self._solves[self._label]
        if self._order.sanitize and not self._returns:
            tensors, count = self._sets[message.cell], len(self._order.signature.inputs)
            return lambda: exact.on_copies(lambda copies: solve(*copies, *self._scalars), tensors, count)
        if not self._returns:
            return lambda: solve(*arguments)
        return lambda: result.store(solve(*arguments), outputs)

    def _arguments(self, place: int) -> tuple[tuple[Any, ...], list[Any]]:
        """Arguments of ``solve`` on a buffer set, and the outputs."""
        tensors, count = self._sets[place], len(self._order.signature.inputs)
        given = tensors[:count] if self._returns else tensors
        return (*given, *self._scalars), tensors[count:]

    def _call(self, message: Message) -> None:
        self._calls += 1
        language = self._language
        try:
            elapsed = self._device.run(
                self._bound(message),
                number=self._calls,
                gate_open=bool(message.flags & Flag.OPEN),
                host_gate=language is not None and language.gate == "host",
                queued=lambda: self._answer(Message(kind=Kind.QUEUED, id=message.id)),
                wait_go=lambda: self._wait_go(message.id),
                timed=not message.flags & Flag.QUIET,
            )
        except SystemExit:
            raise
        except BaseException as exc:  # noqa: BLE001 - foreign code may raise KeyboardInterrupt too
            self._raised(message, exc)
        else:
            self._answer(Message(kind=Kind.DONE, id=message.id, scalars=(elapsed,)))

    def _loop(self, message: Message) -> None:
        """A figure that nobody attests: the judge asks for it when everything else of the cell is over."""
        try:
            arguments, _ = self._arguments(message.cell)
            solve = self._solves[self._label]
            elapsed = self._device.loop(lambda: solve(*arguments), Loop(message.flags))
        except SystemExit:
            raise
        except BaseException as exc:  # noqa: BLE001 - foreign code
            self._raised(message, exc)
        else:
            self._answer(Message(kind=Kind.DONE, id=message.id, scalars=(elapsed,)))

    def _wait_go(self, call_id: bytes) -> None:
        message, _ = self._receive()
        if message.kind != Kind.GO or message.id != call_id:
            raise SystemExit(0)


__all__ = ["Worker", "import_object"]
