"""The file: SQLite in WAL mode, so that several processes write and nothing that was confirmed is lost."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kernelbot_core.engine.queue.schema import MIGRATIONS
from kernelbot_core.errors import InfrastructureError, UsageError

BUSY_S = 30.0


class Database:
    """One connection per thread; SQLite's own rule is that none is shared between two.

    :raises UsageError: The file cannot be opened, is none of ours, or was written by a newer kernelbot.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._opening = threading.Lock()
        self._writing = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self.write() as connection:
                migrate(connection, path)
        except (OSError, sqlite3.DatabaseError) as exc:
            raise UsageError(
                f"{path}: cannot be opened: {exc}", "check its folder, or restore it from a backup"
            ) from exc

    def close(self) -> None:
        """Close the connections of all threads; the file can be opened again at any time."""
        with self._opening:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
            self._own = threading.local()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A consistent view, which writers do not disturb."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; on disk when it returns. One writer at a time, also between processes."""
        # Threads of this process wait in line: SQLite lets a waiting writer sleep longer and longer, up to 0.1 s.
        with self._writing, self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        connection = self._connection()
        self._execute(connection, begin)
        try:
            yield connection
        except BaseException:  # whatever ends the block, half of it must not stay
            connection.execute("ROLLBACK")
            raise
        self._execute(connection, "COMMIT")

    def _execute(self, connection: sqlite3.Connection, statement: str) -> None:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as exc:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise InfrastructureError(f"{self.path}: {exc}", "check space, permissions and other writers") from exc

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            # Opened for one thread and closed by another, never used by both at once.
            connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a loss of power too
            connection.execute("PRAGMA foreign_keys = ON")
            self._own.connection = connection
            with self._opening:
                self._opened.append(connection)
        return connection


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the tables up to date; inside a transaction, so that two processes cannot do it both."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise UsageError(f"{path}: version {version} is newer than this kernelbot knows", "upgrade kernelbot")
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
