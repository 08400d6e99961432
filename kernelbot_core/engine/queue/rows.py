"""From rows to objects."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from kernelbot_core.engine.queue.fair import Waiting, serve_order
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import Ticket

COLUMNS = ", ".join(Ticket.__struct_fields__)
_FLAGS = ("counted", "cancelling", "told")


def ticket_of(row: sqlite3.Row) -> Ticket:
    """A ticket of a row with at least :data:`COLUMNS`."""
    values: dict[str, Any] = {name: row[name] for name in Ticket.__struct_fields__}
    values |= {name: bool(values[name]) for name in _FLAGS}
    return msgspec.convert(values, Ticket)


def select(connection: sqlite3.Connection, where: str, *values: Any, order: str = "seq") -> list[Ticket]:
    """Tickets of a condition; its text is ours, what comes from outside is in ``values``."""
    rows = connection.execute(f"SELECT {COLUMNS} FROM jobs WHERE {where} ORDER BY {order}", values)
    return [ticket_of(row) for row in rows]


def one(connection: sqlite3.Connection, job_id: str) -> Ticket:
    """The ticket of a job.

    :raises UsageError: There is none.
    """
    found = select(connection, "id = ?", job_id)
    if not found:
        raise UsageError(f"there is no job {job_id} in the queue", "`kernelbot queue list` shows what waits and runs")
    return found[0]


def waiting_on(connection: sqlite3.Connection, device: str) -> list[Waiting]:
    """What waits for a device, in the order in which it will start."""
    rows: Sequence[sqlite3.Row] = connection.execute(
        "SELECT id, account, priority, seq FROM jobs WHERE device = ? AND state = 'queued'", (device,)
    ).fetchall()
    turns = connection.execute(
        "SELECT account, turn FROM turns WHERE device = ? AND account IN "
        "(SELECT account FROM jobs WHERE device = ? AND state = 'queued')",
        (device, device),
    )
    return serve_order((Waiting(*row) for row in rows), {row["account"]: row["turn"] for row in turns})
