"""Outputs that a Python ``solve`` returned, copied into the shared buffers after a check of number, shape and dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class BadResultError(ValueError):
    """solve() returned something else than its outputs."""


def store(returned: Any, outputs: Sequence[Any]) -> None:
    """Copy what was returned into ``outputs``.

    :raises BadResultError: Wrong number, shape or dtype.
    """
    values = list(returned) if isinstance(returned, (tuple, list)) else [returned]
    if len(values) != len(outputs):
        raise BadResultError(f"solve() returned {len(values)} values instead of {len(outputs)}")
    for place, (value, output) in enumerate(zip(values, outputs, strict=True)):
        for what in ("shape", "dtype"):
            got, wanted = getattr(value, what, type(value).__name__), getattr(output, what)
            if got != wanted:
                shown = tuple(wanted) if what == "shape" else wanted
                seen = tuple(got) if what == "shape" and not isinstance(got, str) else got
                raise BadResultError(f"output {place}: solve() returned {what} {seen} instead of {shown}")
        if type(value) is not type(output):  # another class may put off its work until it is copied, out of the time
            raise BadResultError(f"output {place}: solve() returned a {type(value).__name__} instead of a plain tensor")
        output.copy_(value)
