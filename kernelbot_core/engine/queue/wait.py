"""Where a job stands, and when it will start: an estimate from what jobs of its kind took lately."""

from __future__ import annotations

import sqlite3
import statistics
from collections.abc import Callable

from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.lanes import flow_of
from kernelbot_core.engine.queue.rows import one, waiting_on
from kernelbot_core.model.queue import Wait

LATELY = 20
"""Jobs that an estimate looks at."""
UNKNOWN_S = 30.0
"""For a device that has never run a job."""
Estimate = Callable[[str], float]


def wait_of(queue: Queue, job_id: str) -> Wait:
    """Position of a job among those that wait for its device, in the order in which they will start.

    :raises UsageError: There is no such job.
    """
    with queue.database.read() as connection:
        found, now = one(connection, job_id), queue.clock()
        if not found.live:
            return Wait(position=0, of=0, starts_in=None, ends_in=None)
        order = [job.id for job in waiting_on(connection, found.device)]
        estimate = _estimate(connection, found.device)
        if found.state != "queued":
            left = _left(connection, found.device, now, estimate)
            return Wait(position=0, of=len(order), starts_in=0.0, ends_in=left)
        place = order.index(job_id)
        starts = _left(connection, found.device, now, estimate) + sum(estimate(ahead) for ahead in order[:place])
        stopped = flow_of(connection, found.device)[0] == "paused"
        return Wait(
            position=place + 1,
            of=len(order),
            starts_in=None if stopped else starts,
            ends_in=None if stopped else starts + estimate(job_id),
        )


def _left(connection: sqlite3.Connection, device: str, now: float, estimate: Estimate) -> float:
    """Seconds that the running job still takes; one that takes longer than usual is about to end."""
    row = connection.execute(
        "SELECT id, started FROM jobs WHERE state = 'running' AND device = ?", (device,)
    ).fetchone()
    return 0.0 if row is None else max(1.0, estimate(row["id"]) - (now - row["started"]))


def _estimate(connection: sqlite3.Connection, device: str) -> Estimate:
    """Seconds that a job of this device takes: median of those of its problem and mode, else of all."""
    known: dict[tuple[str, str] | None, float] = {}
    kinds = {
        row["id"]: (row["problem"], row["mode"])
        for row in connection.execute(
            "SELECT id, problem, mode FROM jobs WHERE state IN ('queued', 'running') AND device = ?", (device,)
        )
    }

    def lately(kind: tuple[str, str] | None) -> float:
        if kind not in known:
            taken = _taken(connection, device, kind)
            known[kind] = statistics.median(taken) if taken else UNKNOWN_S if kind is None else lately(None)
        return known[kind]

    return lambda job_id: lately(kinds.get(job_id))


def _taken(connection: sqlite3.Connection, device: str, kind: tuple[str, str] | None) -> list[float]:
    wanted, values = ("", ()) if kind is None else (" AND problem = ? AND mode = ?", kind)
    rows = connection.execute(
        "SELECT finished - started AS taken FROM jobs WHERE state = 'done' AND device = ?"
        f"{wanted} ORDER BY finished DESC LIMIT ?",
        (device, *values, LATELY),
    )
    return [row["taken"] for row in rows]
