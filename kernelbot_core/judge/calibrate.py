"""How a process of the submission's differs from the baseline's before it has loaded anything of the submission.

On an H200 T - E of two processes with the same code differed by up to 8 us, the same in all their calls: it depends on
the order in which the device visits them. Calls of nothing show it while the process is still ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.worker import WorkerHandle, prepare_both

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

WARM_UP = 3
PAIRS = 20


def calibrate(session: JudgeSession, worker: WorkerHandle) -> None:
    """Set ``worker.offset``: seconds by which its T - E exceeds the baseline's, pair by pair. Raises CaseFailure.

    :param worker: Is up, and has loaded nothing.
    """
    cells = session.timed_cells()
    if not session.by_events or not cells or worker.loaded:
        return
    cell = min(cells, key=lambda one: one.bytes)
    baseline = session.baseline(cell.dtype)
    prepare_both(worker, baseline, cell.dtype, cell.dims)
    ours, theirs = session.caller(worker), session.caller(baseline)
    found = []
    for number in range(WARM_UP + PAIRS):
        turn = (ours, theirs) if number % 2 else (theirs, ours)
        around = {caller.worker.role: _around(caller) for caller in turn}
        found.append(around["submission"] - around["baseline"])
    worker.offset = found[WARM_UP:]


def _around(caller: Caller) -> float:
    """T - E of a call of nothing."""
    sample = caller.gated_call(None, 0)
    return sample.T - sample.E
