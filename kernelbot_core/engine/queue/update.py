"""What a dispatcher tells."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kernelbot_core.engine.podium import PodiumChange
from kernelbot_core.engine.record import Recorded
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
    """With a new entry: what it changed among the first three of its GPU's overall board.

    :func:`podium_news` keeps it until it is announced.
    """


Listener = Callable[[Update], None]
