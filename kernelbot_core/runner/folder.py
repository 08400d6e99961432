"""Scratch folders: of one job, or of whatever else starts processes behind walls."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from kernelbot_core.errors import InfrastructureError
from kernelbot_core.supervisor.client import keep_nursery, let_go
from kernelbot_core.supervisor.scratch import PREFIX, sweep

BUILD_JSON_CAP = 1 << 20
ROLES = ("builder", "submission", "baseline", "judge")


class JobFolder:
    """For each role ``in/ROLE``, which it reads, and ``work/ROLE``, where it works; ``artifact/`` from the builder.

    Behind walls the working folders are in memory and only their names are taken from here.
    """

    def __init__(self, job_id: str) -> None:
        self._kept, self.root = _make(job_id)
        self.artifact = self.root / "artifact"
        with _whole_or(self.close):
            for path in (self.artifact, *(self.root / kind / role for kind in ("in", "work") for role in ROLES)):
                path.mkdir(parents=True)
                path.chmod(0o755)  # a sandbox may be another user, who comes in below the root of this

    def inbox(self, role: str) -> Path:
        """What a role is given."""
        return self.root / "in" / role

    def work(self, role: str) -> Path:
        """Working folder of a role."""
        return self.root / "work" / role

    def give(self, role: str, name: str, data: bytes) -> Path:
        """Put a file into the inbox of a role."""
        path = self.inbox(role) / name
        path.write_bytes(data)
        path.chmod(0o644)
        return path

    def close(self) -> None:
        """Remove everything."""
        _remove(self._kept, self.root)


@contextlib.contextmanager
def scratch(name: str) -> Iterator[Path]:
    """A folder for a while; removed by others when this process is killed."""
    kept, folder = _make(name)
    try:
        yield folder
    finally:
        _remove(kept, folder)


def _make(name: str) -> tuple[object, Path]:
    """What keeps the process that removes it when this one is killed, from before it is there; and the folder."""
    kept = object()
    with _whole_or(lambda: let_go(kept)):
        sweep(tempfile.gettempdir())
        keep_nursery(kept)
        return kept, Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-{name}-"))


@contextlib.contextmanager
def _whole_or(undo: Callable[[], None]) -> Iterator[None]:
    """Make a folder, or leave nothing behind, after an interrupt either. Raises InfrastructureError for no room."""
    try:
        yield
    except BaseException as exc:  # an interrupt leaves nothing behind either; raised again
        undo()
        if isinstance(exc, OSError):
            where = f" {exc.filename}" if exc.filename else ""
            raise InfrastructureError(
                f"cannot make a scratch folder{where}: {exc.strerror}",
                "free space there, or set TMPDIR to another folder",
            ) from exc
        raise


def _remove(kept: object, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    let_go(kept)
