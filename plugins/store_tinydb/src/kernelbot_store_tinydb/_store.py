"""One TinyDB file per (problem, GPU label), one document per entry."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec
from filelock import FileLock
from tinydb import TinyDB
from tinydb.table import Document

from kernelbot_core import Entry, Report, Run, Store, UserError
from kernelbot_store_tinydb._files import AtomicStorage, write_atomic

log = logging.getLogger(__name__)
MANY = 2000
"""Documents per file from which a write takes tens of milliseconds; `kernelbot store copy` moves to another store."""


class TinyStore(Store):
    """``tinydb:///folder``: boards/, reports/, sources/.

    Several processes may use it at once: a lock file is held over every read-modify-write, documents have ids of their
    own (TinyDB's counter is cached per process), and there is no query cache.
    """

    scheme = "tinydb"

    def __init__(self, url: str) -> None:
        path = unquote(url.partition("://")[2])
        if not path.startswith("/"):
            raise UserError(f"{url}: needs an absolute path", "write tinydb:///folder")
        self.root = Path(path)
        try:
            for name in ("boards", "reports", "sources"):
                (self.root / name).mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise UserError(
                f"{url}: {exc.strerror}", "choose a folder you can write: KERNELBOT_STORE=tinydb:///..."
            ) from exc

    def put_report(self, report: Report) -> None:
        write_atomic(
            self.root / "reports" / f"{quote(report.id, safe='')}.json", msgspec.json.encode(report, enc_hook=str)
        )

    def report(self, report_id: str) -> Report | None:
        prefix = quote(report_id, safe="")
        exact = self.root / "reports" / f"{prefix}.json"
        found = [exact] if exact.is_file() else [p for p in exact.parent.glob("*.json") if p.name.startswith(prefix)]
        if len(found) != 1:
            return None
        stored: Report = _decode(found[0], found[0].read_bytes(), Report)
        return stored

    def put_source(self, source: str) -> str:
        key = hashlib.sha256(source.encode()).hexdigest()
        path = self.root / "sources" / key
        if not path.exists():
            write_atomic(path, source.encode())
        return key

    def source(self, sha256: str) -> str | None:
        path = self.root / "sources" / quote(sha256, safe="")
        return path.read_bytes().decode() if path.is_file() else None

    def add_run(self, entry: Entry, run: Run) -> Entry:
        path = self._board(entry.problem, entry.gpu)
        with FileLock(f"{path}.lock"), self._open(path) as database:
            table = database.table("entries", cache_size=0)
            number = int(hashlib.sha256(entry.id.encode()).hexdigest()[:15], 16)
            stored = table.get(doc_id=number)
            known = _decode(path, msgspec.json.encode(stored), Entry) if isinstance(stored, Document) else None
            runs = known.runs if known else []
            if all(run.report != old.report for old in runs):
                runs = [*runs, run]
            # A copied entry brings runs of its own; only the one that is being added counts.
            kept = msgspec.structs.replace(known or entry, runs=runs)
            table.upsert(Document(msgspec.to_builtins(kept), doc_id=number))
            if len(table) >= MANY:
                log.warning(
                    "%s holds %d entries; `kernelbot store copy` moves them to a faster store", path, len(table)
                )
        return kept

    def entries(self, problem: str, gpu: str | None = None) -> Sequence[Entry]:
        found: list[Entry] = []
        for label in [gpu] if gpu else self.gpus(problem):
            path = self._board(problem, label)
            with self._open(path) as database:
                rows: list[Any] = database.table("entries", cache_size=0).all()
            found += [_decode(path, msgspec.json.encode(row), Entry) for row in rows]
        return found

    def gpus(self, problem: str) -> Sequence[str]:
        start = f"{quote(problem, safe='')}@"
        paths = sorted((self.root / "boards").glob("*.json"))
        return [unquote(p.stem.removeprefix(start)) for p in paths if p.name.startswith(start)]

    def problems(self) -> Sequence[str]:
        """Names of problems that have entries."""
        return sorted({unquote(p.stem.partition("@")[0]) for p in (self.root / "boards").glob("*.json")})

    def reports(self) -> Sequence[str]:
        """Ids of all reports."""
        return sorted(unquote(p.stem) for p in (self.root / "reports").glob("*.json"))

    def close(self) -> None:
        """Every write is complete when it returns."""

    def _board(self, problem: str, gpu: str) -> Path:
        return self.root / "boards" / f"{quote(problem, safe='')}@{quote(gpu, safe='')}.json"

    def _open(self, path: Path) -> TinyDB:
        try:
            AtomicStorage(path).read()
        except (msgspec.DecodeError, OSError) as exc:
            raise UserError(f"{path}: cannot be read: {exc}", "restore it from a backup, or move it away") from exc
        return TinyDB(path, storage=AtomicStorage)


def _decode(path: Path, data: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as exc:
        raise UserError(
            f"{path}: is not what kernelbot wrote: {exc}", "restore it from a backup, or move it away"
        ) from exc
