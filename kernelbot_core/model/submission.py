"""What a person hands in, and the job that is made of it."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from msgspec import Meta, Struct

from kernelbot_core.model.problem import Limits, Problem

Mode = Literal["test", "benchmark", "ranked"]
"""``test`` = build, check, property; ``benchmark`` adds bench with public seeds; ``ranked`` = all, secret seeds."""


class Submission(Struct, frozen=True, kw_only=True):
    """Source code, frozen at the moment it came in."""

    problem: str
    language: str
    filename: str
    source: str
    user: str

    @property
    def sha256(self) -> str:
        """Identity of the source text."""
        return hashlib.sha256(self.source.encode()).hexdigest()


class Selection(Struct, frozen=True, kw_only=True):
    """Which part of the grid was asked for; empty means all of it."""

    sizes: list[str] = []
    dtypes: list[str] = []


class Measure(Struct, frozen=True, kw_only=True):
    """How to measure, where the usual way is not wanted."""

    instances: Annotated[int, Meta(ge=0, le=20)] | None = None
    """Processes that measure a short kernel: 0 = as many as its time asks for, None = that in ranked mode, else one."""
    flush: Literal["read", "write"] = "read"
    """``write``: as common tools flush, which makes memory-bound kernels pay for the write-back. Never ranked."""
    refuse: bool = True
    """False: a time that the judge's clock does not support is reported, not refused. For the selftest only."""


class Job(Struct, frozen=True, kw_only=True):
    """Everything the runner and the judge need to know; written once, read by both."""

    id: str
    mode: Mode
    submission: Submission
    problem: Problem
    device: str
    """``cpu``, ``cuda:0``."""
    seed: int
    """Public seed; ranked runs draw their own and ignore it."""
    selection: Selection
    limits: Limits
    sandbox: str
    """Name of the sandbox backend."""
    measure: Measure = Measure()
    sanitize: bool = False
    """The submission's worker runs under the language's memory checker. In ``test`` mode only."""
