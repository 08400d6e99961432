"""What maintainers say about accounts: bans and limits. Each act leaves a line in the audit log."""

from __future__ import annotations

from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.jobs import drop
from kernelbot_core.engine.queue.limits import ANY, limit_of, moment, next_slot
from kernelbot_core.engine.queue.rows import select
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import Ban, Quota

MOST = 1_000_000
"""Jobs an hour that a limit may allow."""


def ban(queue: Queue, account: str, *, actor: str, reason: str, until: float | None = None) -> None:
    """Refuse new jobs of an account and take back those that wait and run.

    :param until: Seconds since 1970; None: for good.
    :raises UsageError: No reason is given; its author will be shown it.
    """
    if not reason.strip():
        raise UsageError("a ban needs a reason", "say what the account did")
    with queue.database.write() as connection:
        now = queue.clock()
        connection.execute("INSERT OR REPLACE INTO bans VALUES (?, ?, ?)", (account, reason, until))
        for found in select(connection, "account = ? AND state = 'queued'", account):
            drop(connection, now, found, actor, "its account was banned")
        connection.execute("UPDATE jobs SET cancelling = 1 WHERE account = ? AND state = 'running'", (account,))
        note_act(
            connection, now, actor, "ban", account, reason if until is None else f"until {moment(until)}: {reason}"
        )


def unban(queue: Queue, account: str, *, actor: str) -> None:
    """Take jobs of the account again.

    :raises UsageError: It is not banned.
    """
    with queue.database.write() as connection:
        if connection.execute("DELETE FROM bans WHERE account = ?", (account,)).rowcount == 0:
            raise UsageError(f"{account} is not banned", "`kernelbot admin bans` lists who is")
        note_act(connection, queue.clock(), actor, "unban", account)


def bans(queue: Queue) -> list[Ban]:
    """Bans that are in force."""
    with queue.database.read() as connection:
        rows = connection.execute(
            "SELECT account, reason, until FROM bans WHERE until IS NULL OR until > ? ORDER BY account",
            (queue.clock(),),
        )
        return [Ban(**row) for row in rows]


def set_limit(queue: Queue, per_hour: int | None, *, actor: str, account: str = ANY, problem: str = ANY) -> None:
    """Set how many jobs an hour are taken; the most particular word counts.

    :param per_hour: 0: none at all; None: as if nothing had been said.
    :param account: ``*`` is everybody.
    :param problem: ``*`` is every problem; the limit is per problem all the same.
    """
    if per_hour is not None and not 0 <= per_hour <= MOST:
        raise UsageError(f"{per_hour} jobs per hour", f"a limit is a number from 0 to {MOST}")
    with queue.database.write() as connection:
        if per_hour is None:
            connection.execute("DELETE FROM limits WHERE account = ? AND problem = ?", (account, problem))
        else:
            connection.execute("INSERT OR REPLACE INTO limits VALUES (?, ?, ?)", (account, problem, per_hour))
        said = "default" if per_hour is None else str(per_hour)
        note_act(connection, queue.clock(), actor, "limit", account, f"{problem}: {said}")


def quota(queue: Queue, account: str, problem: str) -> Quota:
    """What an account may send to a problem now."""
    with queue.database.read() as connection:
        now = queue.clock()
        return Quota(
            per_hour=limit_of(connection, account, problem), opens=next_slot(connection, now, account, problem)
        )
