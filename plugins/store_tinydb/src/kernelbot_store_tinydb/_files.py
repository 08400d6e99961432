"""Files that are complete or not there, and names that are safe on every file system."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec
from tinydb.storages import Storage

from kernelbot_core import InfrastructureError, UserError

LONGEST = 100
"""Characters of a name that are kept before it is cut and told apart by a hash."""


def file_name(text: str) -> str:
    """A file name for any text: no separators, no leading dot, never too long. Short ones can be read back."""
    quoted = quote(text, safe="").replace(".", "%2E") or "%"
    if len(quoted) <= LONGEST:
        return quoted
    return f"{quoted[:LONGEST]}%%{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def name_text(name: str) -> str | None:
    """What :func:`file_name` was given; None where it had to cut."""
    if "%%" in name:
        return None
    return "" if name == "%" else unquote(name)


def write_atomic(path: Path, data: bytes) -> None:
    """Write beside, flush to disk, rename, flush the folder: a reader sees the old file or the new one.

    :raises InfrastructureError: The disk is full, or the folder is not writable.
    """
    beside = path.with_name(f".{path.name[:LONGEST]}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as exc:
        raise InfrastructureError(f"{path}: cannot be written: {exc.strerror}", "check space and permissions") from exc
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def read(path: Path) -> bytes | None:
    """The bytes of a file, or None when there is none.

    :raises UserError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise UserError(f"{path}: cannot be read: {exc.strerror}", "check its permissions") from exc


def decode(path: Path, data: bytes | Any, kind: Any) -> Any:
    """Bytes of JSON, or what was made of them, as an object of our own.

    :raises UserError: They are not what we wrote; names the file.
    """
    try:
        return msgspec.json.decode(data, type=kind) if isinstance(data, bytes) else msgspec.convert(data, kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as exc:
        raise UserError(
            f"{path}: is damaged: {exc}", "restore it from a backup, or move it away and submit again"
        ) from exc


class AtomicStorage(Storage):
    """TinyDB's own JSON storage overwrites in place; this one never leaves half a file.

    Reads the file once: an instance lives as long as one operation, under the lock if it writes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tables: dict[str, dict[str, Any]] | None = None

    def read(self) -> dict[str, dict[str, Any]] | None:
        """The tables, or None when there is no file yet."""
        if self._tables is None:
            data = read(self._path)
            self._tables = None if data is None else decode(self._path, data, dict[str, dict[str, Any]])
        return self._tables

    def write(self, data: dict[str, dict[str, Any]]) -> None:
        """Replace the file."""
        self._tables = data
        write_atomic(self._path, msgspec.json.encode(data))
