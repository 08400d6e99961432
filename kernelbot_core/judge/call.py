"""One call: queue on stale data, reveal late, take an own copy, and only then look at it.

::

    judge                                     worker
    poison the outputs
    CALL ------------------------------------>
                                              enqueue behind the gate (the inputs are stale)
                 <--------------------------- QUEUED
    reveal the real inputs, but for decoys; flush
    put the decoys right
    T begins, open the gate ----------------->
                                              run
                 <--------------------------- done
    own copy of the outputs, T ends
    E, tails, inputs unchanged?
"""

from __future__ import annotations

import dataclasses
import math
import os
import random
import statistics
from dataclasses import dataclass, field
from typing import Any

from kernelbot_core.errors import CaseFailure
from kernelbot_core.interfaces.device import JudgeDevice, Output
from kernelbot_core.judge.buffers import BufferSet
from kernelbot_core.judge.decoys import Decoys, as_words
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.poison import Poison
from kernelbot_core.judge.worker import WorkerHandle
from kernelbot_core.model.message import Flag, Kind

WATCHDOG_FLOOR_S = 0.020
WATCHDOG_FACTOR = 10
POSSIBLE = (1e-12, 1e6)
"""Shortest and longest time that a call may be claimed to have taken, seconds."""


@dataclass(frozen=True)
class Sample:
    """What one call gave; times in seconds."""

    T: float
    """Judge's clock, from the gate to the judge's own copy."""
    E: float
    """Worker's clock; NaN when it sent nonsense."""
    outputs: list[Any]
    """Private copies; whoever compares them empties the list, so that the memory serves the next call."""
    host_sync: bool = False
    """The watchdog opened the gate: the call synchronises inside."""
    reveal: float | None = None
    """Writing the inputs and flushing, by the judge's own events; longer while somebody else computes. None where most
    of it is the host's time: inputs that are drawn again while they are written."""
    whole: bool = True
    """Whether the copies that T ends with held everything. Of a quiet call the flag is raised beside its work."""
    poison: Poison | None = None
    """What the outputs held before; to be asked as long as their buffers are there."""


@dataclass
class Caller:
    """Makes calls on one worker and remembers how long it takes to enqueue them."""

    device: JudgeDevice
    worker: WorkerHandle
    call_limit: float
    first_limit: float
    """Limit of calls whose gate is open: they may compile and tune."""
    trusted: bool = False
    """The pack's own baseline: tails and inputs are looked at in its open calls only."""
    _enqueue: list[float] = field(default_factory=list)
    _decoys: Decoys = field(init=False)

    def __post_init__(self) -> None:
        self._decoys = Decoys(self.device)

    def open_call(self, draw: Draw, place: int) -> Sample:
        """A call whose inputs are there from the start; verified like any other, never timed for the score."""
        buffers, poison = self._poisoned(place)
        draw.write_to(self.device, buffers.inputs)
        self.device.synchronize()
        device, link, call_id = self.device, self.worker.link, os.urandom(16)
        began = device.clock()
        link.send(Kind.CALL, call_id=call_id, cell=place, flags=Flag.OPEN)
        device.wait_done(link, call_id, self.first_limit)
        outputs = device.snapshot(self._outputs(place))
        taken = (device.clock() - began) * 1e-9
        return self._finish(draw, place, call_id, Sample(taken, math.nan, outputs, poison=poison), look=True)

    def stand_in(self, *, timed: bool = True) -> Sample:
        """A call of the judge's own that reads the inputs, whatever they hold, and writes the outputs."""
        return self.gated_call(None, self.place(), timed=timed, instead=Flag.STAND_IN)

    def place(self) -> int:
        """One of the worker's buffer sets, drawn for each call."""
        assert self.worker.buffers is not None
        return random.randrange(len(self.worker.buffers.sets))

    def gated_call(
        self, draw: Draw | None, place: int, *, seconds: float = 0.0, timed: bool = True, instead: Flag = Flag.NULL
    ) -> Sample:
        """A call behind the gate. ``draw=None`` is a call of nothing, for the baseline's worker only.

        :param seconds: For how long nothing is done.
        :param instead: What is done without a draw.
        :param timed: False: a quiet call. The worker takes no time, E means nothing, and its flag does not wait for
            the work, only the device does. The outputs are those of a second copy, when the worker has said done.
        """
        buffers, poison = self._poisoned(place)
        link, call_id = self.worker.link, os.urandom(16)
        sent = self.device.clock()
        flags = (instead if draw is None else Flag.NONE) | (Flag.NONE if timed else Flag.QUIET)
        link.send(Kind.CALL, call_id=call_id, cell=place, flags=flags, scalars=(seconds,))
        in_time = self._wait_queued(call_id, sent)
        if draw is not None:
            draw.write_to(self._decoys, buffers.inputs)
        self.device.flush()
        self._decoys.correct()
        taken, outputs = self.device.through_gate(link, call_id, self.call_limit, self._outputs(place))
        reveal = self.device.revealed if draw is None or draw.kept else None
        sample = Sample(taken, math.nan, outputs, host_sync=not in_time, reveal=reveal, poison=poison)
        if not timed:
            outputs[:] = [output.clone() for output in outputs]  # the second copy goes to the same place
        sample = self._finish(draw, place, call_id, sample, look=not self.trusted)
        return sample if timed else self._settled(sample, place)

    def _settled(self, sample: Sample, place: int) -> Sample:
        """A quiet call with its final outputs."""
        final = self.device.snapshot(self._outputs(place))
        whole = all(
            bool((as_words(one) == as_words(other)).all()) for one, other in zip(sample.outputs, final, strict=True)
        )
        return dataclasses.replace(sample, outputs=final, whole=whole)

    def _outputs(self, place: int) -> list[Output]:
        """What a call writes."""
        cell = self.worker.buffers
        assert cell is not None
        return list(map(Output, cell.sets[place].outputs, cell.dtypes, cell.shapes))

    def _poisoned(self, place: int) -> tuple[BufferSet, Poison]:
        assert self.worker.buffers is not None
        return self.worker.buffers.sets[place], Poison.fresh(self.device, self._outputs(place))

    def _wait_queued(self, call_id: bytes, sent: int) -> bool:
        link = self.worker.link
        if not self.device.watchdog:
            link.expect(Kind.QUEUED, call_id, self.call_limit)
            return True
        usual = statistics.median(self._enqueue) if self._enqueue else 0.0
        in_time = link.queued(call_id, min(max(WATCHDOG_FLOOR_S, WATCHDOG_FACTOR * usual), self.call_limit))
        if in_time:
            self._enqueue.append((self.device.clock() - sent) * 1e-9)
        return in_time

    def _finish(self, draw: Draw | None, place: int, call_id: bytes, sample: Sample, *, look: bool) -> Sample:
        """E, and what may not have changed.

        :param look: Whether tails and inputs are looked at.
        """
        worker, device = self.worker, self.device
        own = device.collect(worker.link, call_id, self.call_limit)
        worker.link.check_alive()
        if look:
            assert worker.buffers is not None
            buffers = worker.buffers.sets[place]
            if not all(device.tail_intact(buffer) for buffer in buffers.all):
                raise CaseFailure("wrong", "wrote outside its buffers")
            if draw is not None and not draw.unchanged(device, buffers.inputs):
                raise CaseFailure("wrong", "your kernel changed its input")
        return dataclasses.replace(sample, E=believable(own))


def believable(own: float) -> float:
    """A claimed time, NaN when it is none: statistics of 1e200 seconds, or of 5e-324, end in an overflow."""
    return own if POSSIBLE[0] <= own <= POSSIBLE[1] else math.nan
