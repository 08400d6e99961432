"""Unpacks what a sandbox gave back: every byte of it is a stranger's."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath

import msgspec

from kernelbot_core.errors import CaseFailure
from kernelbot_core.memory import sealed_memfd, taken
from kernelbot_core.model.bundle import Bundle

CAP = 512 << 20
"""Bytes of an artifact."""
MAX_DEPTH = 16


def bundle_memory() -> int:
    """Memory that a sandbox leaves its files in; its size cannot be changed, and pages exist once written."""
    return sealed_memfd("kernelbot-bundle", CAP)


def unpack(fd: int, folder: Path) -> str:
    """Write the files into the empty ``folder`` and return the sha256 over their names and bytes.

    :raises CaseFailure: It is not a bundle, or a name leads out of the folder.
    """
    data = taken(fd)
    if not data:
        raise CaseFailure("build_failed", "the build left nothing")
    try:
        bundle = msgspec.msgpack.decode(data, type=Bundle)
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise CaseFailure("build_failed", f"the build left something unreadable: {exc}") from None
    digest = hashlib.sha256()
    for file in sorted(bundle.files, key=lambda file: file.name):
        path = _place(folder, file.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644), "wb") as out:
                out.write(file.data)
        except OSError as exc:  # the same name twice, or a file where another name wants a folder
            raise CaseFailure("build_failed", f"the build left {file.name!r}: {exc.strerror}") from None
        digest.update(file.name.encode(errors="surrogateescape") + b"\0" + len(file.data).to_bytes(8, "little"))
        digest.update(file.data)
    for path in folder.rglob("*"):  # whatever the umask: the next sandbox may be another user
        path.chmod(0o755 if path.is_dir() else 0o644)
    return digest.hexdigest()


def _place(folder: Path, name: str) -> Path:
    pure = PurePosixPath(name)
    plain = name == str(pure) and name.isprintable() and not pure.is_absolute() and len(pure.parts) <= MAX_DEPTH
    if not plain or ".." in pure.parts or name == ".":
        raise CaseFailure("build_failed", f"the build left a file with the name {name!r}")
    return folder / pure
