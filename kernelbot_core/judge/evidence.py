"""What the attestation of one cell rests on. D is T - E; times in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernelbot_core.judge.levels import Level
from kernelbot_core.judge.quiet import CleanQuiet, Quiet


@dataclass(frozen=True)
class Pair:
    """D of one process: the submission's calls, and the baseline's beside them."""

    ours: Sequence[float]
    theirs: Sequence[float]
    """Of the trusted calls beside them."""
    median: float
    """Median E of the submission's calls."""
    baseline: Sequence[float] = ()
    """Of the baseline's calls, where those beside the submission's are a control's."""
    before: Sequence[float] = ()
    """Reveal and flush before the submission's calls."""
    quiet: Quiet | None = None
    """Where quiet calls were made too."""
    level: Level | None = None
    """What its process showed before it had loaded the submission, where that was looked at."""


@dataclass(frozen=True)
class Evidence:
    """Everything that one cell's attestation rests on."""

    pairs: Sequence[Pair]
    """One for each process that measured."""
    clean: Sequence[float]
    """D of the baseline before any code of the submission was loaded."""
    nulls: Sequence[float]
    """T of calls of nothing; c0 is their median."""
    reveals: Sequence[float] = ()
    """Reveal and flush before the clean calls."""
    quiet: CleanQuiet | None = None
    s_T: float | None = None
    source: str = "default"
    alike: bool = True
    """Kernels of this problem are of one kind, as those that move bytes are."""
    host_sync: bool = False
    """Most calls synchronise inside, and the claimed time is the judge's own."""
