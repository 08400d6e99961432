"""Adding jobs, looking at them, taking them back."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from kernelbot_core.engine.accept import new_id
from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.limits import admit
from kernelbot_core.engine.queue.payload import job_of, pack
from kernelbot_core.engine.queue.rows import one, select
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import LIVE, State, Ticket
from kernelbot_core.model.submission import Job


def enqueue(
    queue: Queue,
    job: Job,
    *,
    account: str | None = None,
    guild: str = "",
    priority: int = 0,
    note: str = "",
    counted: bool = True,
    origin: str = "",
) -> Ticket:
    """Add a job of :func:`kernelbot_core.engine.accept.accept`; when this returns, nothing loses it any more.

    :param account: Whose limit and turn it is; default: the name on the board.
    :param counted: False for a maintainer's doing: it is held to no rule, and counts against nobody.
    :param origin: Id of the job that it repeats.
    :raises RefusedError: A rule says no; a :class:`LimitError` says when the next slot opens.
    """
    whose = job.submission.user if account is None else account
    source = sha256(job.submission.source.encode()).hexdigest()
    with queue.database.write() as connection:
        now = queue.clock()
        if counted:
            admit(connection, now, account=whose, problem=job.problem.name, device=job.device, mode=job.mode)
        connection.execute(
            "INSERT INTO jobs (id, account, user, guild, problem, pack, device, language, filename, source, mode, "
            "payload, priority, state, counted, created, origin, note) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?)",
            (
                job.id, whose, job.submission.user, guild, job.problem.name, job.problem.path, job.device,
                job.submission.language, job.submission.filename, source, job.mode, pack(job), priority, counted, now,
                origin, note,
            ),
        )  # fmt: skip
        connection.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (source, job.submission.source))
        return one(connection, job.id)


def ticket(queue: Queue, job_id: str) -> Ticket:
    """A job as it stands now.

    :param job_id: Its id, or the beginning of it when no other begins so.
    :raises UsageError: There is none, or several.
    """
    wanted = job_id.strip().removeprefix("#")
    with queue.database.read() as connection:
        found = select(connection, "id = ?", wanted)
        if not found and wanted:
            found = select(connection, "id >= ? AND id < ?", wanted, wanted + "\U0010ffff", order="seq LIMIT 2")
        if len(found) > 1:
            raise UsageError(f"several jobs start with {wanted}", "give more of the id")
        return found[0] if found else one(connection, wanted)


def tickets(
    queue: Queue,
    *,
    states: Sequence[State] = LIVE,
    device: str | None = None,
    account: str | None = None,
    guild: str | None = None,
    limit: int = 200,
) -> list[Ticket]:
    """Jobs in these states, the latest first."""
    wanted = f"state IN ({', '.join('?' * len(states))})"
    values: list[object] = [*states]
    for name, value in (("device", device), ("account", account), ("guild", guild)):
        if value is not None:
            wanted += f" AND {name} = ?"
            values.append(value)
    with queue.database.read() as connection:
        return select(connection, wanted, *values, limit, order="seq DESC LIMIT ?")


def cancel(queue: Queue, job_id: str, *, actor: str) -> Ticket:
    """Take a job back: at once while it waits, within seconds while it runs; afterwards nothing changes.

    Whether the actor may is the caller's question.
    """
    with queue.database.write() as connection:
        found = one(connection, job_id)
        if found.state == "queued":
            drop(connection, queue.clock(), found, actor, "cancelled before it ran")
        elif found.state == "running":
            connection.execute("UPDATE jobs SET cancelling = 1 WHERE id = ?", (job_id,))
            note_act(connection, queue.clock(), actor, "cancel", job_id, "while it ran")
        return one(connection, job_id)


def drop(connection: sqlite3.Connection, now: float, found: Ticket, actor: str, reason: str) -> None:
    """Take a waiting job back; it has cost nothing, so that it does not count."""
    connection.execute(
        "UPDATE jobs SET state = 'cancelled', status = 'cancelled', reason = ?, finished = ?, counted = 0 WHERE id = ?",
        (reason, now, found.id),
    )
    note_act(connection, now, actor, "cancel", found.id, reason)


def rerun(queue: Queue, job_id: str, *, actor: str, note: str = "", counted: bool = True, priority: int = 0) -> Ticket:
    """Send the same source again, as a new job of the same account.

    :param counted: False for a maintainer's rejudge, which costs the author nothing.
    :raises UserError: There is no such job, its pack or source is gone, or a rule says no.
    """
    found = ticket(queue, job_id)
    job = replace(job_of(queue, found.id), id=new_id())
    again = enqueue(
        queue, job, account=found.account, guild=found.guild, priority=priority, note=note, counted=counted,
        origin=found.id,
    )  # fmt: skip
    with queue.database.write() as connection:
        note_act(connection, queue.clock(), actor, "rerun" if counted else "rejudge", found.id, f"as {again.id}")
    return again


def set_note(queue: Queue, job_id: str, note: str) -> None:
    """Keep a text of the front-end's own beside the job, such as where its message stands."""
    with queue.database.write() as connection:
        connection.execute("UPDATE jobs SET note = ? WHERE id = ?", (note, job_id))


def untold(queue: Queue) -> list[Ticket]:
    """Jobs that have ended and whose author has not been shown the end, oldest first; for after a restart."""
    with queue.database.read() as connection:
        return select(connection, "told = 0 AND state IN ('done', 'cancelled', 'failed')")


def mark_told(queue: Queue, job_id: str) -> bool:
    """Note that the author is shown the end; True for the first who says so, for all processes and restarts."""
    with queue.database.write() as connection:
        return connection.execute("UPDATE jobs SET told = 1 WHERE id = ? AND told = 0", (job_id,)).rowcount == 1
