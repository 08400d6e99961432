"""Files that are complete or not there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from tinydb.storages import Storage


def write_atomic(path: Path, data: bytes) -> None:
    """Write beside, flush to disk, rename, flush the folder: a reader sees the old file or the new one."""
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class AtomicStorage(Storage):
    """TinyDB's own JSON storage overwrites in place; this one never leaves half a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, dict[str, Any]] | None:
        """The tables, or None when there is no file yet."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        tables: dict[str, dict[str, Any]] = msgspec.json.decode(data)
        return tables

    def write(self, data: dict[str, dict[str, Any]]) -> None:
        """Replace the file."""
        write_atomic(self._path, msgspec.json.encode(data))
