"""The scratch folder of one job, and what is looked through before anybody reads it."""

from __future__ import annotations

import hashlib
import shutil
import stat
import tempfile
from pathlib import Path

from kernelbot_core.errors import CaseFailure

ARTIFACT_CAP = 512 << 20
BUILD_JSON_CAP = 1 << 20


class JobFolder:
    """``build/`` (builder), ``artifact/`` (its result), ``submission/``, ``baseline/``, ``judge/``."""

    def __init__(self, job_id: str) -> None:
        self.root = Path(tempfile.mkdtemp(prefix=f"kernelbot-{job_id}-"))
        self.build, self.artifact, self.judge = (self.root / name for name in ("build", "artifact", "judge"))
        for name in ("build", "artifact", "submission", "baseline", "judge"):
            (self.root / name).mkdir()

    def of(self, role: str) -> Path:
        """Working folder of a role."""
        return self.build if role == "builder" else self.root / role

    def close(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.root, ignore_errors=True)


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
