"""A file that an option names for writing: looked at before anything is judged, written afterwards."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from kernelbot_core.errors import UsageError
from kernelbot_core.model.problem import Problem


def pack_files(problem: Problem) -> list[Path]:
    """What a job reads of a pack."""
    return [Path(problem.path, name) for name in ("problem.toml", "problem.py")]


def check_file(option: str, path: Path, *reads: Path) -> None:
    """Complain about a place where an option cannot write, before anything is measured.

    :param reads: Files that the same command reads; under no name may one of them be written over.
    :raises UsageError: There is no such folder, the name is that of one, it cannot be written, or it is read.
    """
    try:
        if not path.parent.is_dir():
            raise UsageError(f"{option} {path}: there is no folder {path.parent}", "make it first")
        if path.is_dir():
            raise UsageError(f"{option} {path}: is a folder", "name a file")
        for read in reads:
            if path.exists() and read.exists() and path.samefile(read):
                raise UsageError(f"{option} {path}: would overwrite {read}, which is read", "name another file")
        _try_to_write(path)
    except OSError as exc:
        raise _unwritable(option, path, exc) from exc


def _try_to_write(path: Path) -> None:
    """Open it as a writer would, and leave what is there as it is. Permissions alone do not tell: not in ``/proc``."""
    if path.is_file():
        path.open("ab").close()
    elif path.exists():  # a pipe or a terminal: opening one could wait, or end its reader
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    elif not path.is_symlink():  # one to a file that is not there yet is made with it
        path.open("xb").close()
        path.unlink()


def _unwritable(option: str, path: Path, exc: OSError) -> UsageError:
    return UsageError(f"{option} {path}: cannot be written: {exc.strerror}", "choose a file that you can write")


def write_file(option: str, path: Path, data: bytes) -> None:
    """Write where an option says.

    :raises UsageError: The file cannot be written.
    """
    try:
        path.write_bytes(data)
    except OSError as exc:
        raise _unwritable(option, path, exc) from exc
