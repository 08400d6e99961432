"""Shows durations that were measured elsewhere through pytest-benchmark: exact, with a clock that only they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ReplayClock:
    """A timer for ``pedantic``: tells what it was set to."""

    __name__ = "kernelbot_clock"  # ends up in the JSON; without it the address of an object would

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


CLOCK = ReplayClock()


def replay(benchmark: Any, seconds: Sequence[float]) -> None:
    """Enter durations into the benchmark fixture, bit for bit.

    :raises RuntimeError: pytest-benchmark is disabled, or did not keep what it was given.
    """
    if benchmark.disabled:
        raise RuntimeError("--benchmark-disable hides every result; leave it out with --submission")
    coming = iter(seconds)

    def reset() -> None:
        CLOCK.now = 0.0  # end - start is exact only from zero

    def advance() -> None:
        CLOCK.now = next(coming)

    benchmark.pedantic(advance, setup=reset, rounds=len(seconds), iterations=1, warmup_rounds=0)
    if list(benchmark.stats.stats.data) != list(seconds):
        raise RuntimeError("pytest-benchmark changed the durations")
