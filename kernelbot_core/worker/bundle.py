"""Packs a folder into shared memory: the way out of a sandbox."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kernelbot_core.memory import put
from kernelbot_core.model.bundle import Bundle, BundleFile


def pack(folder: Path, fd: int) -> None:
    """Put all regular files below ``folder`` into the sealed memory ``fd``; links are not followed.

    :raises ValueError: They do not fit.
    """
    files = [BundleFile(name=str(path.relative_to(folder)), data=memoryview(data)) for path, data in _files(folder)]
    put(fd, msgspec.msgpack.encode(Bundle(files=files)))


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.rglob("*")):
        if stat.S_ISREG(path.lstat().st_mode):
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                yield path, file.read()
