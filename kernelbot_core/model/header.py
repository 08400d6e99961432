"""Header lines of a submission: what the file says about itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernelbot_core.errors import UsageError

KEYS = ("language", "problem", "gpu", "dtypes", "launch")
_OURS = re.compile(r"(?:#|//)!\s*kernelbot\b[ \t]*(?P<key>\S*)[ \t]*(?P<value>.*)")
_POPCORN = re.compile(r"(?:#|//)!\s*POPCORN[ \t]+(?P<key>\S+)[ \t]*(?P<value>.*)")
_FOREIGN = {"leaderboard": "problem", "gpu": "gpu", "gpus": "gpu"}


@dataclass(frozen=True)
class Header:
    """What the header lines say; None where they say nothing."""

    language: str | None = None
    problem: str | None = None
    gpu: str | None = None
    """Board label, as ``--gpu`` takes it."""
    dtypes: tuple[str, ...] | None = None
    """Dtype labels that the submission offers."""
    launch: tuple[str, ...] = ()
    """Launch lines of a file with kernels only, in their order: ``add<<<cdiv(n, 256), 256>>>(a, b, out, n)``."""


def read_header(source: str, name: str = "") -> Header:
    """Read ``#!kernelbot KEY VALUE`` and ``//!kernelbot KEY VALUE`` lines, wherever they stand at the start of a line.

    ``#!POPCORN leaderboard NAME`` and ``#!POPCORN gpus X`` are understood as ``problem`` and ``gpu``; other POPCORN
    lines belong to another system and are ignored.

    :param name: File name, for the messages.
    :raises UsageError: An unknown key, a key without a value, or one other than ``launch`` that is given twice with
        different values; the message names the line.
    """
    found: dict[str, str] = {}
    launches: list[str] = []
    for number, line in enumerate(source.removeprefix("\ufeff").splitlines(), start=1):
        if not line.startswith(("#!", "//!")):
            continue
        where = f"{name}:{number}" if name else f"line {number}"
        if match := _OURS.match(line):
            key, value = _ours(where, match["key"], match["value"].strip())
        elif (match := _POPCORN.match(line)) and match["key"] in _FOREIGN:
            key, value = _FOREIGN[match["key"]], match["value"].strip()
        else:
            continue
        if key == "launch":
            launches.append(value)
            continue
        if key in ("language", "problem", "gpu") and len(value.split()) != 1:
            raise UsageError(f"{where}: `{line.strip()}` needs exactly one name", "submit once for each")
        if found.setdefault(key, value) != value:
            raise UsageError(f"{where}: {key} is {value} here and {found[key]} above", "keep one of the two lines")
    dtypes = found.get("dtypes")
    return Header(
        language=found.get("language"),
        problem=found.get("problem"),
        gpu=found.get("gpu"),
        dtypes=tuple(dtypes.replace(",", " ").split()) if dtypes is not None else None,
        launch=tuple(launches),
    )


def _ours(where: str, key: str, value: str) -> tuple[str, str]:
    known = ", ".join(KEYS)
    if key not in KEYS:
        raise UsageError(f"{where}: unknown kernelbot header key {key or '(none)'!r}", f"known keys: {known}")
    if not value.replace(",", " ").strip():
        raise UsageError(f"{where}: the kernelbot header key {key} has no value", f"write `{key} VALUE`")
    return key, value
