"""What only the bot knows: names of members, settings of servers, pinned boards, proposals.

Jobs, limits, the audit log and what was announced are the queue's; entries and reports are the store's.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct

from kernelbot_core.errors import UsageError

VERSION = 1
SCHEMA = """
CREATE TABLE members (discord INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
CREATE TABLE guilds (guild INTEGER, key TEXT, value TEXT NOT NULL, PRIMARY KEY (guild, key)) STRICT;
CREATE TABLE pins (message INTEGER PRIMARY KEY, channel INTEGER NOT NULL, guild INTEGER NOT NULL,
                   problem TEXT NOT NULL, gpu TEXT NOT NULL, shown TEXT NOT NULL) STRICT;
CREATE TABLE proposals (id INTEGER PRIMARY KEY, guild INTEGER NOT NULL, author INTEGER NOT NULL, name TEXT NOT NULL,
                        folder TEXT NOT NULL, state TEXT NOT NULL, sheet TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
"""
Verdict = Literal["checking", "pending", "approved", "rejected"]


class Pin(Struct, frozen=True, kw_only=True):
    """A pinned message that shows a board."""

    message: int
    channel: int
    guild: int
    problem: str
    gpu: str
    shown: str = ""
    """What it shows, so that an edit that changes nothing is left out."""


class Proposal(Struct, frozen=True, kw_only=True):
    """A problem pack that somebody offers."""

    id: int
    guild: int
    author: int
    """Discord id."""
    name: str
    folder: str
    state: Verdict
    sheet: str
    """Text of the review."""
    reason: str = ""


class State:
    """One SQLite file; each call is a transaction, from any thread.

    :raises UsageError: The file cannot be opened, or is of a later version.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._file.row_factory = sqlite3.Row
            self._file.execute("PRAGMA journal_mode = WAL")
            self._migrate(path)
        except (OSError, sqlite3.Error) as exc:
            raise UsageError(f"{path}: {exc}", "set KERNELBOT_BOT_STATE to a file that can be written") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def name_of(self, discord: int) -> str | None:
        """Name on the boards; None for somebody who has not submitted."""
        with self._write() as file:
            row = file.execute("SELECT name FROM members WHERE discord = ?", (discord,)).fetchone()
        return row["name"] if row else None

    def member_named(self, name: str) -> int | None:
        """Discord id behind a name on the boards."""
        with self._write() as file:
            row = file.execute("SELECT discord FROM members WHERE name = ?", (name,)).fetchone()
        return row["discord"] if row else None

    def claim(self, discord: int, name: str, *, taken: bool = False) -> str:
        """Give a name for good: it stays when the Discord name changes, and nobody else gets it.

        :param taken: It is on a board already and belongs to somebody who did not come through here.
        """
        with self._write() as file:
            row = file.execute("SELECT name FROM members WHERE discord = ?", (discord,)).fetchone()
            if row:
                return str(row["name"])
            other = file.execute("SELECT 1 FROM members WHERE name = ?", (name,)).fetchone()
            given = f"{name[:40]}-{discord}" if taken or other else name
            file.execute("INSERT INTO members VALUES (?, ?)", (discord, given))
            return given

    def setting(self, guild: int, key: str) -> str | None:
        """A setting of a server."""
        with self._write() as file:
            row = file.execute("SELECT value FROM guilds WHERE guild = ? AND key = ?", (guild, key)).fetchone()
        return row["value"] if row else None

    def set(self, guild: int, key: str, value: str) -> None:
        """Change a setting of a server."""
        with self._write() as file:
            file.execute("INSERT OR REPLACE INTO guilds VALUES (?, ?, ?)", (guild, key, value))

    def guilds_with(self, key: str) -> dict[int, str]:
        """Servers that have a setting, and its value."""
        with self._write() as file:
            rows = file.execute("SELECT guild, value FROM guilds WHERE key = ?", (key,)).fetchall()
        return {row["guild"]: row["value"] for row in rows}

    def pins(self, problem: str | None = None) -> list[Pin]:
        """Pinned boards, of one problem or all."""
        with self._write() as file:
            rows = file.execute("SELECT * FROM pins WHERE ? IS NULL OR problem = ?", (problem, problem)).fetchall()
        return [Pin(**row) for row in rows]

    def put_pin(self, pin: Pin) -> None:
        """Add it, or note what it shows now."""
        with self._write() as file:
            file.execute(
                "INSERT OR REPLACE INTO pins VALUES (?, ?, ?, ?, ?, ?)",
                (pin.message, pin.channel, pin.guild, pin.problem, pin.gpu, pin.shown),
            )

    def drop_pin(self, message: int) -> None:
        """Its message is gone."""
        with self._write() as file:
            file.execute("DELETE FROM pins WHERE message = ?", (message,))

    def propose(self, *, guild: int, author: int, name: str, folder: str) -> Proposal:
        """Note a proposal."""
        with self._write() as file:
            row = file.execute(
                "INSERT INTO proposals (guild, author, name, folder, state, sheet, reason) "
                "VALUES (?, ?, ?, ?, 'checking', '', '') RETURNING *",
                (guild, author, name, folder),
            ).fetchone()
            return Proposal(**row)

    def proposal(self, number: int) -> Proposal | None:
        """The proposal of that number."""
        with self._write() as file:
            row = file.execute("SELECT * FROM proposals WHERE id = ?", (number,)).fetchone()
        return Proposal(**row) if row else None

    def proposals(self, state: Verdict) -> list[Proposal]:
        """Those in a state, oldest first."""
        with self._write() as file:
            rows = file.execute("SELECT * FROM proposals WHERE state = ? ORDER BY id", (state,)).fetchall()
        return [Proposal(**row) for row in rows]

    def settle(
        self, number: int, before: Verdict, after: Verdict, *, sheet: str | None = None, reason: str = ""
    ) -> bool:
        """Move a proposal on; False when somebody else was first."""
        with self._write() as file:
            done = file.execute(
                "UPDATE proposals SET state = ?, reason = ?, sheet = coalesce(?, sheet) WHERE id = ? AND state = ?",
                (after, reason, sheet, number, before),
            )
            return done.rowcount == 1

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
            except BaseException:  # whatever ends the block, half of it must not stay
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def _migrate(self, path: Path) -> None:
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise UsageError(f"{path}: of a later version ({version})", "update kernelbot, or use another file")
        if version == 0:
            self._file.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
