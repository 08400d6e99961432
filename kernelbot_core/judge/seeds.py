"""Seeds of single calls, derived from one public or one secret seed of the job."""

from __future__ import annotations

import hashlib
import os

from kernelbot_core.model.report import Seeds
from kernelbot_core.model.submission import Job


class SeedSource:
    """Gives every call a seed of its own.

    ``sha256(base | case | number)`` cut to 63 bits, where base is the public seed as text in test and benchmark mode,
    and 32 bytes of ``os.urandom`` in ranked mode; these are revealed in the report, for anybody to redraw.
    """

    def __init__(self, job: Job) -> None:
        self._public = job.seed
        self._secret = os.urandom(32) if job.mode == "ranked" else None
        self._base = self._secret or str(job.seed).encode()

    def seed(self, case: str, number: int) -> int:
        """Seed of call ``number`` of a case, in [0, 2**63)."""
        digest = hashlib.sha256(self._base + f"|{case}|{number}".encode()).digest()
        return int.from_bytes(digest[:8], "little") >> 1

    def reveal(self) -> Seeds:
        """What the report says once everything is over."""
        return Seeds(public=self._public, secret=self._secret.hex() if self._secret else None)
