"""One TinyDB file: the entries of one problem on one GPU label."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout
from tinydb import TinyDB
from tinydb.table import Document, Table

from kernelbot_core import Entry, InfrastructureError, Run
from kernelbot_store_tinydb._files import AtomicStorage, decode

log = logging.getLogger(__name__)
MANY = 2000
WAIT_S = 60.0


class Board:
    """Opened anew for each operation, so that nothing stale is ever seen."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[Entry]:
        """All of them; a reader needs no lock, since a file is replaced as a whole."""
        with TinyDB(self.path, storage=AtomicStorage) as database:
            return [decode(self.path, dict(row), Entry) for row in _table(database).all()]

    def add_run(self, entry: Entry, run: Run, warned: set[Path]) -> Entry:
        """Add a run, once; creates the entry when it is not there.

        :param warned: Boards whose size has been complained about.
        """
        number = _number(entry)
        with self._locked(), TinyDB(self.path, storage=AtomicStorage) as database:
            table = _table(database)
            known = self._known(table, number)
            if known is not None and any(old.report == run.report for old in known.runs):
                return known
            runs = [*known.runs, run] if known is not None else [run]
            kept = msgspec.structs.replace(known or entry, runs=runs)
            document = Document(msgspec.to_builtins(kept), doc_id=number)
            if known is None:
                table.insert(document)
            else:  # upsert() would write the file twice
                table.update(document, doc_ids=[number])
            self._warn(len(table), warned)
        return kept

    def set_invalid(self, entry: Entry, reason: str) -> Entry | None:
        """Say why an entry does not count; an empty reason says that it does."""
        number = _number(entry)
        with self._locked(), TinyDB(self.path, storage=AtomicStorage) as database:
            table = _table(database)
            known = self._known(table, number)
            if known is None:
                return None
            kept = msgspec.structs.replace(known, invalid=reason)
            table.update(Document(msgspec.to_builtins(kept), doc_id=number), doc_ids=[number])
        return kept

    def _known(self, table: Table, number: int) -> Entry | None:
        stored = table.get(doc_id=number)
        found: Entry | None = decode(self.path, dict(stored), Entry) if isinstance(stored, Document) else None
        return found

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.path}.lock", timeout=WAIT_S):
                yield
        except Timeout:
            raise InfrastructureError(
                f"{self.path}.lock: held by another process for {WAIT_S:g} s", "end that process, and try again"
            ) from None
        except OSError as exc:
            raise InfrastructureError(f"{self.path}: {exc.strerror}", "check space and permissions") from exc

    def _warn(self, number: int, warned: set[Path]) -> None:
        if number >= MANY and self.path not in warned:
            warned.add(self.path)
            log.warning(
                "%s holds %d entries and gets slower with each; `kernelbot store copy` moves them to another store",
                self.path, number,
            )  # fmt: skip


def _table(database: TinyDB) -> Table:
    return database.table("entries", cache_size=0)  # a cached query would not see what others write


def _number(entry: Entry) -> int:
    """An id of our own: TinyDB counts in memory, and two processes would give the same number to two entries."""
    return int(hashlib.sha256(entry.id.encode()).hexdigest()[:15], 16)
