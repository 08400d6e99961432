"""The scratch folder of one job, and what is looked through before anybody reads it."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from kernelbot_core.errors import CaseFailure

PREFIX = "kernelbot-job-"
ARTIFACT_CAP = 512 << 20
BUILD_JSON_CAP = 1 << 20


class JobFolder:
    """``build/`` (builder), ``artifact/`` (its result), ``submission/``, ``baseline/``, ``judge/``."""

    def __init__(self, job_id: str) -> None:
        sweep()
        self.root = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-{job_id}-"))
        self.build, self.artifact, self.judge = (self.root / name for name in ("build", "artifact", "judge"))
        for name in ("build", "artifact", "submission", "baseline", "judge"):
            (self.root / name).mkdir()

    def of(self, role: str) -> Path:
        """Working folder of a role."""
        return self.build if role == "builder" else self.root / role

    def close(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.root, ignore_errors=True)


def sweep() -> None:
    """Remove folders whose runner was killed before it could."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}[0-9]*-*"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(path, ignore_errors=True)


def artifact_hash(folder: Path) -> str:
    """sha256 over names and bytes of the artifact's files.

    :raises CaseFailure: It holds something else than regular files and folders, or too much.
    """
    digest, total = hashlib.sha256(), 0
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            continue
        if not stat.S_ISREG(mode):
            raise CaseFailure("build_failed", f"the artifact holds {path.name}, which is not a regular file")
        total += path.lstat().st_size
        if total > ARTIFACT_CAP:
            raise CaseFailure("build_failed", f"the artifact is larger than {ARTIFACT_CAP >> 20} MiB")
        digest.update(str(path.relative_to(folder)).encode() + b"\0")
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
