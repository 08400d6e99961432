"""Who did what, when: written in the transaction of the act itself, never changed."""

from __future__ import annotations

import sqlite3

from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.model.queue import Act

SYSTEM = "kernelbot"
"""Actor of what the queue does on its own."""


def note_act(connection: sqlite3.Connection, now: float, actor: str, act: str, target: str, detail: str = "") -> None:
    """Add a line, as part of a transaction."""
    connection.execute(
        "INSERT INTO audit (at, actor, act, target, detail) VALUES (?, ?, ?, ?, ?)", (now, actor, act, target, detail)
    )


def audit_log(queue: Queue, *, target: str | None = None, limit: int = 100) -> list[Act]:
    """The latest lines, newest first.

    :param target: Only about this job, account, entry, device or problem.
    """
    with queue.database.read() as connection:
        rows = connection.execute(
            "SELECT * FROM audit WHERE ? IS NULL OR target = ? ORDER BY id DESC LIMIT ?", (target, target, limit)
        ).fetchall()
    return [Act(**row) for row in rows]
