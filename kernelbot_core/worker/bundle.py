"""Files through shared memory: the way out of a sandbox, and for frozen caches the way into the next one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import msgspec

from kernelbot_core.memory import put, taken
from kernelbot_core.model.bundle import Bundle, BundleFile

MAX_DEPTH = 16


def pack(folder: Path, fd: int, only: Iterable[str] = (".",)) -> None:
    """Put all regular files below ``folder`` into the sealed memory ``fd``; links are not followed.

    :param only: Folders in it that are looked at.
    :raises ValueError: They do not fit.
    """
    found = [(path, data) for name in only for path, data in _files(folder / name)]
    files = [BundleFile(name=str(path.relative_to(folder)), data=memoryview(data)) for path, data in found]
    put(fd, msgspec.msgpack.encode(Bundle(files=files)))


def read(fd: int) -> list[BundleFile]:
    """The files that :func:`pack` left, in the order of their names; empty when it left nothing.

    :raises ValueError: It is not a bundle, or a name leads out of the folder. Every byte is the writer's word.
    """
    data = taken(fd)
    if not data:
        return []
    try:
        bundle = msgspec.msgpack.decode(data, type=Bundle)
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise ValueError(f"something unreadable: {exc}") from None
    for file in bundle.files:
        pure = PurePosixPath(file.name)
        plain = file.name == str(pure) and file.name.isprintable() and not pure.is_absolute()
        if not plain or ".." in pure.parts or file.name == "." or len(pure.parts) > MAX_DEPTH:
            raise ValueError(f"a file with the name {file.name!r}")
    return sorted(bundle.files, key=lambda file: file.name)


def write(files: Iterable[BundleFile], folder: Path) -> None:
    """Make the files in ``folder``. Raises OSError: one is there already, or stands where another wants a folder."""
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644), "wb") as out:
            out.write(file.data)


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.rglob("*")):
        if stat.S_ISREG(path.lstat().st_mode):
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                yield path, file.read()
