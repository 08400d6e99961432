"""Devices: whether their queue takes and starts jobs."""

from __future__ import annotations

import sqlite3

from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.model.queue import Flow, Lane

_ACTS: dict[Flow, str] = {"open": "resume", "paused": "pause", "draining": "drain"}


def flow_of(connection: sqlite3.Connection, device: str) -> tuple[Flow, str]:
    """State of a device and the reason that was given."""
    row = connection.execute("SELECT flow, reason FROM lanes WHERE device = ?", (device,)).fetchone()
    return ("open", "") if row is None else (row["flow"], row["reason"])


def set_flow(queue: Queue, device: str, flow: Flow, *, actor: str, reason: str = "") -> Lane:
    """Pause, drain or resume (``open``) a device; holds for every process and over restarts.

    What runs goes on in any case.
    """
    with queue.database.write() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO lanes (device, flow, reason) VALUES (?, ?, ?)",
            (device, flow, reason),
        )
        note_act(connection, queue.clock(), actor, _ACTS[flow], device, reason)
        return _lane(connection, device)


def lanes(queue: Queue) -> list[Lane]:
    """Every device that has jobs, or about which something was said."""
    with queue.database.read() as connection:
        rows = connection.execute(
            "SELECT device FROM lanes UNION SELECT device FROM jobs WHERE state IN ('queued', 'running', 'recording')"
        ).fetchall()
        return [_lane(connection, row["device"]) for row in rows]


def _lane(connection: sqlite3.Connection, device: str) -> Lane:
    flow, reason = flow_of(connection, device)
    live = "SELECT id FROM jobs WHERE device = ? AND state = ?"
    running = connection.execute(live, (device, "running")).fetchone()
    return Lane(
        device=device,
        flow=flow,
        reason=reason,
        waiting=len(connection.execute(live, (device, "queued")).fetchall()),
        running=None if running is None else running["id"],
    )
