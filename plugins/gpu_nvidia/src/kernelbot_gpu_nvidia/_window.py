"""T: one call by the judge's own events, enqueued as a whole before any of it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from kernelbot_gpu_nvidia._gate import DONE, GO, JudgePage

LEAD_IN_CYCLES = 800_000
"""A short delay on the device (0.4 ms), during which the host enqueues what follows."""


class Window:
    """Reveal and flush, gate, the wait for the worker and the copies run without gaps of the host between them.

    What a host does between two of them takes a different time each time: on an H200 the same calls scatter by 0.5 us
    with all of it enqueued, and by 2 to 8 us with a host that opens the gate and looks for the end.
    """

    def __init__(self) -> None:
        self._start, self._gate, self._copied = (torch.cuda.Event(enable_timing=True) for _ in range(3))
        self._started = False

    def start(self) -> None:
        """Called before anything is revealed; later calls for the same window do nothing."""
        if not self._started:
            torch.cuda._sleep(LEAD_IN_CYCLES)
            self._start.record()
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
        page.enqueue_write(GO, number)
        page.enqueue_wait(DONE, number)
        made = copies()
        self._copied.record()
        self._started = False
        try:
            wait(self._copied.query)
        except BaseException:
            page.release(DONE, number)
            torch.cuda.synchronize()
            raise
        return made

    @property
    def revealed(self) -> float:
        """Seconds from the first reveal to the gate: longer when somebody else has computed meanwhile."""
        return float(self._start.elapsed_time(self._gate)) * 1e-3

    @property
    def taken(self) -> float:
        """T, seconds from the gate to complete copies."""
        return float(self._gate.elapsed_time(self._copied)) * 1e-3
