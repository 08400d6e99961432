"""What the judge is told: the job, its manifest, and the one device class it may import."""

from __future__ import annotations

from msgspec import Struct

from kernelbot_core.model.device import DeviceInfo, Peaks
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.submission import Job


class JudgeOrder(Struct, frozen=True, kw_only=True):
    """Written by the runner, read by the judge."""

    job: Job
    cases: list[PlannedCase]
    """The manifest: exactly these cases are judged."""
    device: DeviceInfo
    index: int
    """Ordinal of the device among those the judge sees."""
    judge_device: str
    """``module:Class``."""
    peaks: Peaks
    runs: bool = True
    """False when built code cannot run on the device; then no worker is started."""
    check_calls: int = 3
    pairs: int = 50
    """Measured pairs of a bench case."""
    deadline_s: float
    """Seconds the judge may use; later cases are not reached."""
    harness: str
    sandbox: str
    guarantees: list[str] = []
