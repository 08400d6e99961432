"""The scratch folder of one job."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from kernelbot_core.supervisor.client import keep_nursery, let_go
from kernelbot_core.supervisor.scratch import PREFIX, sweep

BUILD_JSON_CAP = 1 << 20
ROLES = ("builder", "submission", "baseline", "judge")


class JobFolder:
    """For each role ``in/ROLE``, which it reads, and ``work/ROLE``, where it works; ``artifact/`` from the builder.

    Behind walls the working folders are in memory and only their names are taken from here.
    """

    def __init__(self, job_id: str) -> None:
        sweep(tempfile.gettempdir())
        self.root = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-{job_id}-"))
        keep_nursery(str(self.root))
        self.artifact = self.root / "artifact"
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
        shutil.rmtree(self.root, ignore_errors=True)
        let_go(str(self.root))
