"""The store: folders ``boards/``, ``reports/`` and ``sources/``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

import msgspec

from kernelbot_core import Entry, Report, Run, Store, UserError
from kernelbot_store_tinydb._board import Board
from kernelbot_store_tinydb._files import decode, file_name, name_text, read, write_atomic

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""Of a report or a source: the name of a file, which systems take up to some 250 bytes."""


class TinyStore(Store):
    """``tinydb:///folder``: one file per problem and GPU label, one document per entry with all its cells.

    Boards per language, size and dtype are views of it. Reports are kept by id and sources by hash, in files beside it.
    Several processes may write at once. From 2,000 entries on one board a warning is logged: TinyDB rewrites the whole
    file with each submission (about 20 ms at 1,000 entries, a quarter of a second at 10,000);
    ``kernelbot store copy FROM TO`` moves everything to another store.
    """

    scheme = "tinydb"

    def __init__(self, url: str) -> None:
        self.root = _folder(url)
        try:
            for name in ("boards", "reports", "sources"):
                (self.root / name).mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            hint = "choose a folder that you can write: KERNELBOT_STORE=tinydb:///folder"
            raise UserError(f"{url}: {exc.strerror}", hint) from exc
        self._warned: set[Path] = set()

    @classmethod
    def exists(cls, url: str) -> bool:
        try:
            return (_folder(url) / "boards").is_dir()
        except OSError:  # may not be looked at: opening it says so
            return True

    def put_report(self, report: Report) -> None:
        if not _ID.fullmatch(report.id):
            raise UserError(f"{report.id!r} cannot be the id of a report", "up to 100 letters, digits, _ and -")
        write_atomic(self._report_path(report.id), msgspec.json.encode(report, enc_hook=str))

    def report(self, report_id: str) -> Report | None:
        if not _ID.fullmatch(report_id):
            return None
        paths = [self._report_path(report_id)]
        if not paths[0].is_file():
            paths = [self._report_path(known) for known in self.reports() if known.startswith(report_id)]
        data = read(paths[0]) if len(paths) == 1 else None
        if data is None:
            return None
        found: Report = decode(paths[0], data, Report)
        return found

    def put_source(self, source: str) -> str:
        data = source.encode()
        key = sha256(data).hexdigest()
        path = self.root / "sources" / key
        if not path.exists():
            write_atomic(path, data)
        return key

    def source(self, sha256: str) -> str | None:
        if not _ID.fullmatch(sha256):
            return None
        path = self.root / "sources" / sha256
        data = read(path)
        try:
            return None if data is None else data.decode()
        except UnicodeDecodeError as exc:
            raise UserError(f"{path}: is damaged: {exc}", "restore it from a backup") from exc

    def add_run(self, entry: Entry, run: Run) -> Entry:
        return self._board(entry.problem, entry.gpu).add_run(entry, run, self._warned)

    def set_invalid(self, entry: Entry, reason: str) -> Entry | None:
        return self._board(entry.problem, entry.gpu).set_invalid(entry, reason)

    def entries(self, problem: str, gpu: str | None = None) -> Sequence[Entry]:
        boards = self._boards(problem) if gpu is None else [self._board(problem, gpu)]
        return [entry for board in boards for entry in board.entries()]

    def gpus(self, problem: str) -> Sequence[str]:
        found = [name_text(board.path.stem) or _only_value(board, "gpu") for board in self._boards(problem)]
        return [label for label in found if label is not None]

    def problems(self) -> Sequence[str]:
        folders = sorted(path for path in (self.root / "boards").iterdir() if path.is_dir())
        found = [name_text(folder.name) or _problem_of(folder) for folder in folders if _files(folder)]
        return [name for name in found if name is not None]

    def reports(self) -> Sequence[str]:
        return sorted(path.stem for path in _files(self.root / "reports"))

    def close(self) -> None:
        """Nothing to do: every write is on disk when it returns."""

    def _report_path(self, report_id: str) -> Path:
        return self.root / "reports" / f"{report_id}.json"

    def _board(self, problem: str, gpu: str) -> Board:
        return Board(self.root / "boards" / file_name(problem) / f"{file_name(gpu)}.json")

    def _boards(self, problem: str) -> list[Board]:
        return [Board(path) for path in _files(self.root / "boards" / file_name(problem))]


def _folder(url: str) -> Path:
    path = unquote(url.partition("://")[2])
    if not path.startswith("/") or "\0" in path:
        raise UserError(f"{url}: needs an absolute path", "write tinydb:///folder")
    return Path(path)


def _files(folder: Path) -> list[Path]:
    """Finished files; those being written start with a dot."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix == ".json" and not path.name.startswith("."))


def _problem_of(folder: Path) -> str | None:
    return _only_value(Board(_files(folder)[0]), "problem")


def _only_value(board: Board, field: str) -> str | None:
    """A field that is the same in every entry of a board, for names that were too long for a file name."""
    return next((str(getattr(entry, field)) for entry in board.entries()), None)
