"""Progress of a job, for whoever watches it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Phase = Literal["queued", "start", "build", "correctness", "benchmark", "done"]


class Event(Struct, frozen=True, kw_only=True):
    """One step forward."""

    phase: Phase
    n: int = 0
    """Cases of this phase that have ended."""
    of: int = 0
    """Cases of this phase in all."""
    case: str = ""
    ok: bool | None = None
    """How the case ended; None while it runs."""
    text: str = ""
