"""What maintainers say about problems: deadlines, who may take part, when code becomes public."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3

import msgspec

from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.limits import is_member, moment
from kernelbot_core.errors import RefusedError
from kernelbot_core.model.queue import BoardRules, Release


def board_rules(queue: Queue, problem: str) -> BoardRules:
    """What was said about a problem."""
    with queue.database.read() as connection:
        return _rules(connection, problem)


def set_deadline(queue: Queue, problem: str, at: float | None, *, actor: str) -> BoardRules:
    """Take ranked jobs until then only; None: without end.

    :param at: Seconds since 1970.
    """
    return _set(queue, problem, "deadline", at, actor, "none" if at is None else moment(at))


def set_private(queue: Queue, problem: str, private: bool, *, actor: str) -> BoardRules:
    """Let members only submit and see, or everybody."""
    return _set(queue, problem, "private", private, actor, "yes" if private else "no")


def set_release(queue: Queue, problem: str, release: Release | None, *, actor: str) -> BoardRules:
    """Say when code becomes public; None: as the pack says."""
    said = None if release is None else str(release)
    return _set(queue, problem, "release", said, actor, said or "as the pack says")


def invite(queue: Queue, problem: str, *, actor: str, uses: int = 1, until: float | None = None) -> str:
    """Make an invite to a private board.

    :returns: The code; only its hash is kept, so that it cannot be shown again.
    """
    code = secrets.token_urlsafe(12)
    with queue.database.write() as connection:
        connection.execute("INSERT INTO invites VALUES (?, ?, ?, ?)", (_digest(code), problem, uses, until))
        note_act(connection, queue.clock(), actor, "invite", problem, f"{uses} uses")
    return code


def join(queue: Queue, code: str, account: str) -> str:
    """Use an invite.

    :returns: The problem.
    :raises RefusedError: It is unknown, used up or too old; which of these is not said.
    """
    with queue.database.write() as connection:
        now = queue.clock()
        row = connection.execute(
            "SELECT problem FROM invites WHERE digest = ? AND uses > 0 AND (until IS NULL OR until > ?)",
            (_digest(code.strip()), now),
        ).fetchone()
        if row is None:
            raise RefusedError("this invite is not valid", "ask for a new one")
        if not is_member(connection, account, row["problem"]):
            connection.execute("UPDATE invites SET uses = uses - 1 WHERE digest = ?", (_digest(code.strip()),))
            connection.execute("INSERT INTO members VALUES (?, ?)", (row["problem"], account))
            note_act(connection, now, account, "join", row["problem"])
        return str(row["problem"])


def set_member(queue: Queue, problem: str, account: str, member: bool, *, actor: str) -> None:
    """Add an account to a private board, or take it off."""
    with queue.database.write() as connection:
        change = "INSERT OR IGNORE INTO members VALUES (?, ?)"
        if not member:
            change = "DELETE FROM members WHERE problem = ? AND account = ?"
        connection.execute(change, (problem, account))
        note_act(connection, queue.clock(), actor, "member" if member else "no member", problem, account)


def members(queue: Queue, problem: str) -> list[str]:
    """Accounts that have joined."""
    with queue.database.read() as connection:
        rows = connection.execute("SELECT account FROM members WHERE problem = ? ORDER BY account", (problem,))
        return [row["account"] for row in rows]


def may_see(queue: Queue, problem: str, account: str | None) -> bool:
    """Whether a board may be shown to an account; None is the public."""
    with queue.database.read() as connection:
        if not _rules(connection, problem).private:
            return True
        return account is not None and is_member(connection, account, problem)


def _rules(connection: sqlite3.Connection, problem: str) -> BoardRules:
    row = connection.execute("SELECT * FROM boards WHERE problem = ?", (problem,)).fetchone()
    if row is None:
        return BoardRules(problem=problem)
    release = row["release"]
    values = {**row, "private": bool(row["private"])}
    values["release"] = int(release) if release is not None and release.isdigit() else release
    return msgspec.convert(values, BoardRules)


def _set(queue: Queue, problem: str, column: str, value: object, actor: str, said: str) -> BoardRules:
    with queue.database.write() as connection:
        connection.execute("INSERT OR IGNORE INTO boards (problem) VALUES (?)", (problem,))
        connection.execute(f'UPDATE boards SET "{column}" = ? WHERE problem = ?', (value, problem))
        note_act(connection, queue.clock(), actor, column, problem, said)
        return _rules(connection, problem)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
