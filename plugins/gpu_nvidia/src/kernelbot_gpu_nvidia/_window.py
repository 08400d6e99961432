"""T: one call by the judge's own events, enqueued as a whole before any of it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from kernelbot_gpu_nvidia._gate import DONE, GO, JudgePage

LEAD_IN = (0.4e-3, 4e-3)
"""Least and most seconds of a delay on the device, during which the host enqueues what follows."""
MARGIN, LESS = 1.5, 0.9
"""The next one lasts so many times what the host took, and is no shorter than that share of the last."""
CYCLES = 2e9
"""Cycles per second of a device that runs as fast as it can; where it runs slower the delay is longer."""
LOOK_AGAIN_S = 1e-3


class Window:
    """Reveal and flush, gate, the wait for the worker and the copies run without gaps of the host between them.

    What a host does between two of them takes a different time each time: on an H200 the same calls scatter by 0.5 us
    with all of it enqueued, and by 2 to 8 us with a host that opens the gate and looks for the end. So the delay at the
    beginning follows what the host has taken: inputs that are drawn again take it milliseconds.
    """

    calls, behind = 0, 0
    """How many there were, and in how many the device was at the gate before the host had enqueued everything."""
    _lead, _began = LEAD_IN[0], 0.0

    def __init__(self) -> None:
        self._start, self._gate, self._copied = (torch.cuda.Event(enable_timing=True) for _ in range(3))
        self._aside = torch.cuda.Stream()  # runs on while the default stream waits
        for event in (self._start, self._gate, self._copied):
            event.record()  # made now: nothing is set up for the first time while a stream waits
        self._started = False

    def start(self) -> None:
        """Called before anything is revealed; later calls for the same window do nothing."""
        if not self._started:
            torch.cuda._sleep(round(self._lead * CYCLES))
            self._start.record()
            self._began = time.perf_counter()
            self._started = True

    def abandon(self) -> None:
        """What was enqueued was for an open call."""
        self._started = False

    def run(
        self, page: JudgePage, number: int, copies: Callable[[], list[Any]], wait: Callable[[Callable[[], bool]], None]
    ) -> list[Any]:
        """Open the gate of a call and copy what it has written.

        :param copies: Enqueues them, into memory that exists already: an allocation could wait for the device.
        :param wait: Waits for the given condition, or raises.
        """
        self.start()
        self._gate.record()
        self._started = False
        try:
            page.enqueue_write(GO, number)
            page.enqueue_wait(DONE, number)
            made = copies()
            self._copied.record()
            self._learn()
            wait(self._copied.query)
        except BaseException:  # an interrupt too must not leave the stream waiting for ever
            self._let_go(page, number)
            raise
        return made

    def _learn(self) -> None:
        least, most = LEAD_IN
        self.calls += 1
        self.behind += bool(self._gate.query())
        self._lead = min(max(least, MARGIN * (time.perf_counter() - self._began), LESS * self._lead), most)

    def _let_go(self, page: JudgePage, number: int) -> None:
        """Nothing may be left waiting: whatever frees a buffer next would wait with it, for ever.

        Repeatedly, since a process that lives may write to the flag at the same time.
        """
        stream = torch.cuda.current_stream()
        while not stream.query():
            page.let_go(DONE, number, self._aside.cuda_stream)
            time.sleep(LOOK_AGAIN_S)

    @property
    def revealed(self) -> float:
        """Seconds from the first reveal to the gate: longer when somebody else has computed meanwhile."""
        return float(self._start.elapsed_time(self._gate)) * 1e-3

    @property
    def taken(self) -> float:
        """T, seconds from the gate to complete copies."""
        return float(self._gate.elapsed_time(self._copied)) * 1e-3
