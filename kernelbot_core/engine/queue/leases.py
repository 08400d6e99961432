"""Who runs a job, and for how long that is believed.

A lease belongs to one attempt. A process that was frozen, or cut off, may come back and finish: its attempt is not the
latest any more, so that it has no say. Nothing reaches the board but through :func:`finish`.
"""

from __future__ import annotations

import sqlite3
import zlib
from typing import Literal

from kernelbot_core.engine.queue.audit import SYSTEM, note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.endings import Ending, Lease, cancelled, failed, faulted, holds, requeue, stale
from kernelbot_core.engine.queue.lanes import flow_of
from kernelbot_core.engine.queue.owner import alive
from kernelbot_core.engine.queue.rows import one, waiting_on
from kernelbot_core.model.queue import Ticket
from kernelbot_core.model.report import Report, dump

LEASE_S = 60.0
"""Without a heartbeat for so long, a job is taken to be lost."""
Standing = Literal["go_on", "cancel", "lost"]


def claim(queue: Queue, device: str, owner: str) -> Lease | None:
    """The next job of a device, now running; None when nothing waits, the device is paused, or one runs already."""
    with queue.database.write() as connection:
        now = queue.clock()
        _recover(connection, now)
        if flow_of(connection, device)[0] == "paused":
            return None
        if connection.execute("SELECT 1 FROM jobs WHERE device = ? AND state = 'running'", (device,)).fetchone():
            return None
        order = waiting_on(connection, device)
        if not order:
            return None
        chosen = order[0]
        connection.execute(
            "UPDATE jobs SET state = 'running', attempt = attempt + 1, owner = ?, lease = ?, started = ? WHERE id = ?",
            (owner, now + LEASE_S, now, chosen.id),
        )
        connection.execute(
            "INSERT OR REPLACE INTO turns SELECT ?, ?, coalesce(max(turn), 0) + 1 FROM turns WHERE device = ?",
            (device, chosen.account, device),
        )
        found = one(connection, chosen.id)
        return Lease(ticket=found, attempt=found.attempt, owner=owner)


def heartbeat(queue: Queue, lease: Lease) -> Standing:
    """Say that the job still runs; the answer says whether it should."""
    with queue.database.write() as connection:
        found = one(connection, lease.ticket.id)
        if not holds(found, lease):
            return "lost"
        connection.execute("UPDATE jobs SET lease = ? WHERE id = ?", (queue.clock() + LEASE_S, found.id))
        return "cancel" if found.cancelling else "go_on"


def finish(queue: Queue, lease: Lease, report: Report) -> Ending:
    """Hand in the verdict; it is safe when this returns.

    :returns: ``recording``: it counts, :func:`kernelbot_core.engine.queue.deliver` brings it to the store. ``queued``
        or ``failed``: the machine failed, and the job is tried again or not. ``stale``: another attempt has taken over.
    """
    if report.status == "infrastructure":
        return fault(queue, lease, report.reason)
    with queue.database.write() as connection:
        found, now = one(connection, lease.ticket.id), queue.clock()
        if not holds(found, lease):
            return stale(connection, now, lease)
        if found.cancelling:
            return cancelled(connection, now, found)
        connection.execute(
            "UPDATE jobs SET state = 'recording', status = ?, reason = ?, finished = ?, owner = '', lease = NULL "
            "WHERE id = ?",
            (report.status, report.reason, now, found.id),
        )
        connection.execute(
            "INSERT INTO reports VALUES (?, ?, ?, ?)",
            (found.id, now, report.mode != "ranked", zlib.compress(dump(report), 1)),
        )
        return "recording"


def fault(queue: Queue, lease: Lease, reason: str) -> Ending:
    """The machine failed: back to the queue, until it has failed too often; never held against the account."""
    with queue.database.write() as connection:
        found, now = one(connection, lease.ticket.id), queue.clock()
        if not holds(found, lease):
            return stale(connection, now, lease)
        if found.cancelling:
            return cancelled(connection, now, found)
        return faulted(connection, now, found, reason)


def give_up(queue: Queue, lease: Lease, reason: str) -> Ending:
    """The job cannot be run at all (its pack is gone, its device too): no verdict, no retry, not counted."""
    with queue.database.write() as connection:
        found, now = one(connection, lease.ticket.id), queue.clock()
        if not holds(found, lease):
            return stale(connection, now, lease)
        return failed(connection, now, found, reason)


def give_back(queue: Queue, lease: Lease) -> Ending:
    """Put the job back unrun, as a front-end does that ends; no fault, and its place is the old one."""
    with queue.database.write() as connection:
        found, now = one(connection, lease.ticket.id), queue.clock()
        if not holds(found, lease):
            return stale(connection, now, lease)
        if found.cancelling:
            return cancelled(connection, now, found)
        requeue(connection, found)
        return "queued"


def recover(queue: Queue) -> list[Ticket]:
    """Put back what was lost: leases that ran out, and those of processes of this machine that have ended.

    :returns: The jobs as they stand now.
    """
    with queue.database.write() as connection:
        lost = _recover(connection, queue.clock())
        return [one(connection, job_id) for job_id in lost]


def _recover(connection: sqlite3.Connection, now: float) -> list[str]:
    lost = []
    running = connection.execute("SELECT id, owner, lease FROM jobs WHERE state = 'running'")
    for row in running.fetchall():
        why = "its lease ran out" if row["lease"] < now else "" if alive(row["owner"]) else "its process ended"
        if not why:
            continue
        found = one(connection, row["id"])
        lost.append(found.id)
        if found.cancelling:
            cancelled(connection, now, found)
        else:
            note_act(connection, now, SYSTEM, "lost", found.id, f"attempt {found.attempt}: {why}")
            faulted(connection, now, found, f"the run was lost: {why}")
    return lost
