"""Where the command line finds words for numbers; every front-end shares them."""

from __future__ import annotations

from kernelbot_core.text import number, one_line, percent, rate, safe, seconds, times

__all__ = ["number", "one_line", "percent", "rate", "safe", "seconds", "times"]


def listed(names: list[str]) -> str:
    """All of a few names, or the first two and how many more."""
    return ", ".join(names) if len(names) <= 4 else f"{names[0]}, {names[1]} and {len(names) - 2} more"
