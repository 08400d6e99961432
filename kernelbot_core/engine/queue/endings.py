"""How an attempt ends: each is one change of a row inside a transaction that the caller holds."""

from __future__ import annotations

import sqlite3
from typing import Literal

from msgspec import Struct

from kernelbot_core.engine.queue.audit import SYSTEM, note_act
from kernelbot_core.model.queue import Ticket

RETRIES = 3
"""Attempts that the machine may lose before a job ends without a verdict."""
Ending = Literal["recording", "cancelled", "queued", "failed", "stale"]


class Lease(Struct, frozen=True, kw_only=True):
    """The right to run one attempt of a job."""

    ticket: Ticket
    attempt: int
    owner: str


def holds(found: Ticket, lease: Lease) -> bool:
    """Whether the attempt is the latest, and runs."""
    return found.state == "running" and found.attempt == lease.attempt


def stale(connection: sqlite3.Connection, now: float, lease: Lease) -> Ending:
    """An attempt that is not the latest has no say; leaves a line in the audit log."""
    text = f"attempt {lease.attempt} of {lease.owner} came too late"
    note_act(connection, now, SYSTEM, "stale", lease.ticket.id, text)
    return "stale"


def faulted(connection: sqlite3.Connection, now: float, found: Ticket, reason: str) -> Ending:
    """The machine failed: back to the queue, until it has failed too often."""
    connection.execute("UPDATE jobs SET faults = faults + 1 WHERE id = ?", (found.id,))
    if found.faults >= RETRIES:
        return failed(connection, now, found, reason)
    requeue(connection, found)
    return "queued"


def requeue(connection: sqlite3.Connection, found: Ticket) -> None:
    """Back to where it waited."""
    connection.execute(
        "UPDATE jobs SET state = 'queued', owner = '', lease = NULL, started = NULL WHERE id = ?", (found.id,)
    )


def failed(connection: sqlite3.Connection, now: float, found: Ticket, reason: str) -> Ending:
    """The end without a verdict; it does not count."""
    _end(connection, now, found, "failed", "infrastructure", reason, counted=False)
    note_act(connection, now, SYSTEM, "failed", found.id, reason)
    return "failed"


def cancelled(connection: sqlite3.Connection, now: float, found: Ticket) -> Ending:
    """The end that somebody asked for."""
    _end(connection, now, found, "cancelled", "cancelled", "cancelled while it ran", counted=found.counted)
    return "cancelled"


def _end(
    connection: sqlite3.Connection, now: float, found: Ticket, state: str, status: str, reason: str, *, counted: bool
) -> None:
    connection.execute(
        "UPDATE jobs SET state = ?, status = ?, reason = ?, counted = ?, finished = ?, owner = '', lease = NULL "
        "WHERE id = ?",
        (state, status, reason, counted, now, found.id),
    )
