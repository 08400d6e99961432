"""Figures that the submission's process measures alone: people compare them with what they see at home.

They are asked for when every verified call of the cell is over, nothing depends on them, and whatever goes wrong costs
the figure and not the job.
"""

from __future__ import annotations

import math
import os

from kernelbot_core.errors import CaseFailure
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.throughput import above_the_ridge
from kernelbot_core.judge.worker import WorkerHandle
from kernelbot_core.model.message import Kind, Loop
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import Unattested

LIMIT_S = 10.0
CALLS = 60
"""More than any loop makes, for the limit of long kernels."""
LONG_S = 0.5e-3
"""Kernels that are long enough for the power limit to matter back to back."""
SLOW_S = 0.1
"""Beyond it tools agree anyway, and the loops would cost the job's time."""
LONGEST_S = 1e4
NAMES = {Loop.DO_BENCH: "do_bench", Loop.WALL: "wall", Loop.SUSTAINED: "sustained"}


def unattested(session: JudgeSession, cell: Cell, worker: WorkerHandle, median: float) -> Unattested | None:
    """What the process says about itself, None when it says nothing of use.

    :param worker: Has the cell's buffers, with the inputs of the last call in them.
    :param median: Published time, seconds.
    """
    found: dict[str, float] = {}
    if not session.loops:
        return None
    try:
        for mode in modes(session, cell, median):
            value = ask(worker, mode, LIMIT_S + CALLS * median)
            if value is not None:
                found[NAMES[mode]] = value
    except CaseFailure:
        session.loops = False  # the others would meet the same fate
        session.replace(worker)  # later cells need a process in a sound state
    return Unattested(**found) if found else None


def modes(session: JudgeSession, cell: Cell, median: float) -> list[Loop]:
    """Which loops say something here: without a device of its own a process has one kind of time only."""
    if median > SLOW_S:
        return []
    if session.device.ranks_on == "T":
        return [Loop.DO_BENCH]
    sustained = median >= LONG_S and above_the_ridge(session, cell)
    return [Loop.DO_BENCH, Loop.WALL, *([Loop.SUSTAINED] if sustained else [])]


def ask(worker: WorkerHandle, mode: Loop, limit: float) -> float | None:
    """Seconds, or None for what is no time. Raises CaseFailure."""
    call_id = os.urandom(16)
    worker.link.send(Kind.LOOP, call_id=call_id, cell=0, flags=mode)
    value = worker.link.expect(Kind.DONE, call_id, limit)[0]
    return value if math.isfinite(value) and 0 < value < LONGEST_S else None
