"""Things that are done once, whatever is restarted: a digest of a week, an announcement."""

from __future__ import annotations

from kernelbot_core.engine.queue.base import Queue


def take_mark(queue: Queue, name: str, value: str = "") -> bool:
    """Take the right to do a thing; True for one caller only, for all processes and restarts.

    Taken before the thing is done, a death in between leaves it undone; taken after, it may be done twice. Where the
    receiver itself drops what comes twice, take it after.
    """
    with queue.database.write() as connection:
        done = connection.execute("INSERT OR IGNORE INTO marks VALUES (?, ?, ?)", (name, queue.clock(), value))
        return done.rowcount == 1


def set_mark(queue: Queue, name: str, value: str) -> None:
    """Keep a text under a name, such as where a pinned message stands."""
    with queue.database.write() as connection:
        connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (name, queue.clock(), value))


def mark(queue: Queue, name: str) -> str | None:
    """The text under a name; None when nobody has kept or taken it."""
    with queue.database.read() as connection:
        row = connection.execute("SELECT value FROM marks WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row["value"])


def drop_mark(queue: Queue, name: str) -> None:
    """Give it back."""
    with queue.database.write() as connection:
        connection.execute("DELETE FROM marks WHERE name = ?", (name,))
