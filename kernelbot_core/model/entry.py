"""Rows of the leaderboard."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from kernelbot_core.model.report import Seconds


class Result(Struct, frozen=True, kw_only=True):
    """One ranked cell of one run, seconds. A store that holds anything else is damaged: boards take logarithms."""

    size: str
    dtype: str
    median: Seconds
    p99: Seconds
    resolution: Annotated[float, Meta(ge=0, le=1e20)]
    baseline: Seconds | None = None
    """Median of the baseline in the same run."""
    bytes_per_s: float = 0.0
    flops_per_s: float = 0.0
    peak_fraction: float | None = None


class Run(Struct, frozen=True, kw_only=True):
    """One judged run of an artifact."""

    report: str
    """Id of the report."""
    at: str
    """ISO 8601, UTC."""
    results: list[Result]
    skipped: list[str] = []
    """Ranked cells (``size-dtype``) that were skipped with a reason, such as too little memory on the device."""


class Entry(Struct, frozen=True, kw_only=True):
    """One artifact of one user on one (problem version, GPU label, protocol): all its runs are pooled.

    Submitting the same artifact again adds a run; the score is the median over the runs, never the best one.
    """

    id: str
    """Document id: derived from problem version, gpu, protocol, user and artifact."""
    problem: str
    problem_version: str
    protocol: int
    gpu: str
    language: str
    user: str
    artifact: str
    """sha256 of the normalised source; a comment makes no new artifact."""
    source: str
    """sha256 of the source text, the key of the archive."""
    filename: str
    lines: int
    """Lines of code without blank lines and comments, for ties."""
    sandbox: str
    attested: bool
    submitted: str
    """ISO 8601, UTC, of the first run."""
    runs: list[Run]
    invalid: str = ""
    """Why a maintainer has taken it off the boards; more runs do not bring it back."""


class Standing(Struct, frozen=True, kw_only=True):
    """One line of a board."""

    rank: int
    """Entries that tie with the leader of their group share it."""
    entry: Entry
    score: float
    """Seconds."""
    p99: float | None
    baseline: float | None
    tied: bool
