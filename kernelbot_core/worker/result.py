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
            if not hasattr(value, what):
                thing = "None" if value is None else f"a {type(value).__name__}"
                raise BadResultError(f"output {place}: solve() returned {thing} instead of a tensor")
            got, wanted = getattr(value, what), getattr(output, what)
            if got != wanted:
                shown, seen = (tuple(wanted), tuple(got)) if what == "shape" else (wanted, got)
                raise BadResultError(f"output {place}: solve() returned {what} {seen} instead of {shown}")
        if type(value) is not type(output):  # another class may put off its work until it is copied, out of the time
            raise BadResultError(f"output {place}: solve() returned a {type(value).__name__} instead of a plain tensor")
        output.copy_(value)
