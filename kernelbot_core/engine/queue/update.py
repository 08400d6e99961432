"""What a dispatcher tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from kernelbot_core.engine.podium import PodiumChange, podium
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.deliver import report_of
from kernelbot_core.engine.queue.payload import job_of
from kernelbot_core.engine.record import Recorded
from kernelbot_core.errors import UserError
from kernelbot_core.model.entry import Standing
from kernelbot_core.model.event import Event
from kernelbot_core.model.queue import Ticket


class Update(Struct, frozen=True, kw_only=True):
    """A job has moved: into another state, or a step forward while it runs."""

    ticket: Ticket
    event: Event | None = None
    """The step; None for a change of state."""
    recorded: Recorded | None = None
    """With the state ``done`` only: places, or why it is no entry. The report: :func:`report_of`."""
    podium: list[PodiumChange] = []
    """With a new entry: what it changed among the first three of its GPU's overall board."""


Listener = Callable[[Update], None]


def podium_of(queue: Queue, job_id: str) -> Sequence[Standing]:
    """The first three of the board that a ranked job is for; nobody when it is for none."""
    report = report_of(queue, job_id)
    if report is None or report.mode != "ranked" or report.status != "passed":
        return []
    try:
        return podium(queue.registry, job_of(queue, job_id).problem, queue.store, report.gpu)
    except UserError:  # the pack is gone: delivering it says so
        return []
