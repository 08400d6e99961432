"""The times of one side of a block, call by call."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernelbot_core.judge.call import Sample


@dataclass
class Clock:
    """Samples of one side, seconds."""

    T: list[float] = field(default_factory=list)
    E: list[float] = field(default_factory=list)
    host_sync: int = 0
    reveals: list[float] = field(default_factory=list)
    """Reveal and flush before each call, by the judge's events."""

    def add(self, sample: Sample) -> None:
        """Take one measured call in; T of one whose copies did not hold everything means nothing."""
        if not sample.whole:
            return
        self.T.append(sample.T)
        self.E.append(sample.E)
        self.host_sync += sample.host_sync
        self.reveals += [] if sample.reveal is None else [sample.reveal]

    @property
    def D(self) -> list[float]:
        """T - E, call by call."""
        return [t - e for t, e in zip(self.T, self.E, strict=True)]
