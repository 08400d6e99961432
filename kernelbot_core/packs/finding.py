"""What a check of a pack has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    :param group: ``pack``, ``cell``, ``property`` or ``sample``: a table each.
    :param name: The row: ``small-fp32``, ``right/add.py``.
    :param check: The column: ``baseline``, ``zeros``.
    :param ok: None where it could not be looked at here; the text says why.
    :param text: A few words beside a good one, one whole line for a bad one.
    """

    group: str
    name: str
    check: str
    ok: bool | None
    text: str = ""
