"""Several processes for short kernels: which ones need them, and those that wait for their turn.

A process shifts all calls of a short kernel together (its own pages, its own place in memory): 1-3 % below 10 us, 0.3 %
at 50 us. More calls do not cure that, more processes do. The judge's clock too differs from process to process: what it
leaves open of a time goes down with the root of their number.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import TYPE_CHECKING

from kernelbot_core.judge.worker import WorkerHandle
from kernelbot_core.model.problem import Cell

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

STEPS = ((7e-6, 9), (100e-6, 5), (400e-6, 3))
"""Median E in seconds below which so many processes measure a cell."""
SHORT = 20e-6
"""Below it one process alone says so."""
MOST = 8
"""Processes that wait at the same time: each holds a context on the device and the memory of an imported torch."""


def processes_for(median: float, asked: int) -> int:
    """How many processes measure a cell, the first included.

    :param median: Median E of the first one, seconds.
    :param asked: 0 for as many as the time asks for.
    """
    if median >= STEPS[-1][0]:
        return 1
    return asked or next(count for limit, count in STEPS if median < limit)


class Spares:
    """Processes that have been started and have loaded nothing of the submission yet.

    :param start: Starts one.
    """

    def __init__(self, start: Callable[[], WorkerHandle]) -> None:
        self._start = start
        self._waiting: list[WorkerHandle] = []

    def want(self, count: int) -> None:
        """Start as many as are missing, all at once: their imports overlap."""
        while len(self._waiting) < min(count, MOST):
            self._waiting.append(self._start())

    def settle(self) -> None:
        """Wait until all are up: a process that starts would disturb whoever measures."""
        for worker in self._waiting:
            worker.ready()

    def take(self) -> WorkerHandle:
        """The next one; the caller closes it."""
        self.want(1)
        self.settle()
        return self._waiting.pop(0)

    def close(self) -> None:
        """End those that nobody needed."""
        for worker in self._waiting:
            worker.close()
        self._waiting = []


def expect(session: JudgeSession, cell: Cell) -> None:
    """Start the processes that a cell will want if the submission is as fast as the baseline was in clean calls."""
    clean = session.clean.get(cell)
    count = processes_for(statistics.median(clean.E), session.order.instances) - 1 if clean is not None else 0
    if count:
        session.spares.want(count)
    else:
        session.spares.close()  # those that are left over hold memory that a large cell may need


def expect_next(session: JudgeSession, cell: Cell | None = None) -> None:
    """The same for the cell that is timed after this one, or the first: it starts while others do something else."""
    if not session.by_events:
        return
    names, cells = [one.name for one in session.timed_cells()], session.timed_cells()
    after = cells[names.index(cell.name) + 1 :] if cell is not None and cell.name in names else cells
    for following in after[:1]:
        expect(session, following)
