"""By how much the judge's clock shows more around one process's calls than around another's, for no fault of either.

Each process has its own pages and its own place in memory, and all its calls share what that costs: up to 2 us on an
H200, the same for calls of any length. Calls of nothing tell it before the process has loaded anything of the
submission, when it runs nothing but our own code. They take turns with the baseline's in an order that is drawn, since
another process of the submission may be alive.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge.attest import Estimate, by_median
from kernelbot_core.judge.call import Caller
from kernelbot_core.judge.worker import WorkerHandle, prepare_both
from kernelbot_core.model.problem import Cell

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

CALLS, WARM_UP = 16, 2
"""Of each of the two."""
MOST = 3e-6
"""Seconds; what lies beyond is not believed to be the process's own."""


def level(session: JudgeSession, worker: WorkerHandle, cell: Cell) -> Estimate:
    """D = T - E of calls of nothing in ``worker`` less that in the baseline's process; seconds.

    :param cell: Whose buffers these calls copy.
    :raises InfrastructureError: A process failed that runs no code of the submission.
    """
    if worker.loaded:
        raise InfrastructureError("a process that has loaded a submission cannot say what it is like without")
    baseline = session.baseline(cell.dtype)
    try:
        prepare_both(worker, baseline, cell.dtype, cell.dims)
        callers = session.caller(worker), session.caller(baseline)
        apart = [_difference(callers) for _ in range(WARM_UP + CALLS)][WARM_UP:]
    except CaseFailure as failure:
        raise InfrastructureError(f"a process failed before it had loaded the submission: {failure.reason}") from None
    found = by_median(apart)
    return Estimate(max(-MOST, min(found.value, MOST)), found.error)


def smallest(session: JudgeSession) -> Cell:
    """The timed cell with the least data."""
    problem = session.problem
    return min(
        session.timed_cells(), key=lambda cell: sum(problem.signature.nbytes(cell.dims, problem.bindings[cell.dtype]))
    )


def _difference(callers: tuple[Caller, Caller]) -> float:
    around = [0.0, 0.0]
    for place in random.sample((0, 1), 2):
        sample = callers[place].gated_call(None, 0)
        around[place] = sample.T - sample.E
    return around[0] - around[1]
