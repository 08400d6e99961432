"""Who may send a job now: bans, deadlines, members, and so many jobs per problem and hour."""

from __future__ import annotations

import datetime
import sqlite3

from kernelbot_core.engine.queue.lanes import flow_of
from kernelbot_core.errors import RefusedError
from kernelbot_core.model.submission import Mode

HOUR_S = 3600.0
PER_HOUR = 30
"""Jobs of one account per problem and hour, unless a maintainer says otherwise."""
MOST_WAITING = 20
"""Jobs of one account that may wait at once, over all devices."""
ANY = "*"


class LimitError(RefusedError):
    """Too many jobs in an hour.

    :param opens: When the next one is taken; seconds since 1970.
    """

    http_status = 429

    def __init__(self, message: str, hint: str, opens: float) -> None:
        super().__init__(message, hint)
        self.opens = opens


def admit(
    connection: sqlite3.Connection,
    now: float,
    *,
    account: str,
    problem: str,
    device: str,
    mode: Mode,
) -> None:
    """Apply every rule, in the transaction that adds the job: two at once cannot both take the last slot.

    :raises RefusedError: The rules say no; the message says which one and until when.
    """
    _check_ban(connection, now, account)
    _check_board(connection, now, account, problem, mode)
    flow, reason = flow_of(connection, device)
    if flow == "draining":
        raise RefusedError(f"{device} takes no new jobs now{f': {reason}' if reason else ''}", "try again later")
    (waiting,) = connection.execute(
        "SELECT count(*) FROM jobs WHERE account = ? AND state = 'queued'", (account,)
    ).fetchone()
    if waiting >= MOST_WAITING:
        raise RefusedError(f"{waiting} jobs of yours wait already", "wait for one of them, or cancel one")
    _check_limit(connection, now, account, problem)


def limit_of(connection: sqlite3.Connection, account: str, problem: str) -> int:
    """Jobs per hour: what was said about this account at this problem, else the account, else the problem, else all."""
    row = connection.execute(
        "SELECT per_hour FROM limits WHERE account IN (?, '*') AND problem IN (?, '*') "
        "ORDER BY account = '*', problem = '*' LIMIT 1",
        (account, problem),
    ).fetchone()
    return PER_HOUR if row is None else int(row["per_hour"])


def next_slot(connection: sqlite3.Connection, now: float, account: str, problem: str) -> float | None:
    """When the account may send its next job to the problem; None: now. Infinite where nothing is allowed at all."""
    limit = limit_of(connection, account, problem)
    if limit == 0:
        return float("inf")
    row = connection.execute(
        "SELECT created FROM jobs WHERE account = ? AND problem = ? AND counted = 1 AND created > ? "
        "ORDER BY created DESC LIMIT 1 OFFSET ?",
        (account, problem, now - HOUR_S, limit - 1),
    ).fetchone()
    return None if row is None else float(row["created"]) + HOUR_S


def moment(at: float) -> str:
    """``2026-01-31 12:34 UTC``, never earlier than it is."""
    rounded = datetime.datetime.fromtimestamp(-(-at // 60) * 60, datetime.UTC)
    return f"{rounded:%Y-%m-%d %H:%M} UTC"


def _check_limit(connection: sqlite3.Connection, now: float, account: str, problem: str) -> None:
    opens = next_slot(connection, now, account, problem)
    if opens is None:
        return
    limit = limit_of(connection, account, problem)
    if limit == 0:
        raise LimitError(f"{problem} takes no jobs of yours", "ask a maintainer", opens)
    minutes = max(1, -(-int(opens - now) // 60))
    raise LimitError(
        f"the limit of {limit} an hour at {problem} is reached",
        f"the next slot opens at {moment(opens)}, in {minutes} min",
        opens,
    )


def _check_ban(connection: sqlite3.Connection, now: float, account: str) -> None:
    row = connection.execute(
        "SELECT reason, until FROM bans WHERE account = ? AND (until IS NULL OR until > ?)", (account, now)
    ).fetchone()
    if row is not None:
        until = "" if row["until"] is None else f" until {moment(row['until'])}"
        raise RefusedError(f"you may not submit{until}: {row['reason']}", "ask a maintainer")


def _check_board(connection: sqlite3.Connection, now: float, account: str, problem: str, mode: Mode) -> None:
    row = connection.execute("SELECT deadline, private FROM boards WHERE problem = ?", (problem,)).fetchone()
    if row is None:
        return
    if row["private"] and not is_member(connection, account, problem):
        raise RefusedError(f"{problem} is private", "join it with an invite")
    if row["deadline"] is not None and mode == "ranked" and now > row["deadline"]:
        raise RefusedError(f"{problem} closed at {moment(row['deadline'])}", "test and benchmark jobs are still taken")


def is_member(connection: sqlite3.Connection, account: str, problem: str) -> bool:
    """Whether the account has joined the private board."""
    found = connection.execute("SELECT 1 FROM members WHERE problem = ? AND account = ?", (problem, account)).fetchone()
    return found is not None
