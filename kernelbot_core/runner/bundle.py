"""Unpacks what a builder gave back: every byte of it is a stranger's."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kernelbot_core.errors import CaseFailure
from kernelbot_core.memory import sealed_memfd
from kernelbot_core.worker.bundle import read, write

CAP = 512 << 20
"""Bytes of an artifact."""


def bundle_memory() -> int:
    """Memory that a sandbox leaves its files in; its size cannot be changed, and pages exist once written."""
    return sealed_memfd("kernelbot-bundle", CAP)


def unpack(fd: int, folder: Path) -> str:
    """Write the files into the empty ``folder`` and return the sha256 over their names and bytes.

    :raises CaseFailure: There are none, they are no bundle, or a name leads out of the folder.
    """
    try:
        files = read(fd)
        write(files, folder)
    except ValueError as exc:
        raise CaseFailure("build_failed", f"the build left {exc}") from None
    except OSError as exc:  # the same name twice, or a file where another name wants a folder
        raise CaseFailure("build_failed", f"the build left files that exclude each other: {exc.strerror}") from None
    if not files:
        raise CaseFailure("build_failed", "the build left nothing")
    for path in folder.rglob("*"):  # whatever the umask: the next sandbox may be another user
        path.chmod(0o755 if path.is_dir() else 0o644)
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + len(file.data).to_bytes(8, "little"))
        digest.update(file.data)
    return digest.hexdigest()
