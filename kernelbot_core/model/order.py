"""What the judge is told: the job, its manifest, and the one device class it may import."""

from __future__ import annotations

from typing import Literal

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
    instances: int = 1
    """Processes that measure a short kernel on a device whose events rank; 0: as many as its time asks for."""
    flush: Literal["read", "write"] = "read"
    """How the caches are brought into the state that a timed call starts from."""
    quiet: bool = False
    """Beside each timed pair one whose calls are timed by the judge alone."""
    refuse: bool = True
    """A time that the judge's clock does not support is refused."""
    s_T: float | None = None
    """Seconds; from the host's selftest. None: the built-in value is used."""
    s_T_source: str = "default"
    deadline_s: float
    """Seconds the judge may use; later cases are not reached."""
    harness: str
    sandbox: str
    guarantees: list[str] = []
