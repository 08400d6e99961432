"""Where the command line finds words for numbers; every front-end shares them."""

from __future__ import annotations

from kernelbot_core.text import number, one_line, percent, rate, safe, seconds, times

__all__ = ["number", "one_line", "percent", "rate", "safe", "seconds", "times"]
