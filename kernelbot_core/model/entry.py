"""Rows of the leaderboard."""

from __future__ import annotations

from msgspec import Struct


class Result(Struct, frozen=True, kw_only=True):
    """One ranked cell of one run, seconds."""

    size: str
    dtype: str
    median: float
    p99: float
    resolution: float
    baseline: float | None = None
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
