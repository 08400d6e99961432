"""Compiler text of inline extensions, brought back to the lines of the Python file that holds them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

_GENERATED = {"cpp_sources": ("main.cpp", 1), "cuda_sources": ("cuda.cu", 3)}
"""Argument of load_inline -> the file torch writes it to, and how many include lines it puts first."""
_NOISE = re.compile(r"^(\[\d+/\d+\]|FAILED: |ninja: |Error building extension|\S*(c\+\+|g\+\+|nvcc)\s+-)")
_WHOLE = re.compile(r"^(main\.cpp|cuda\.cu):(?= )", re.MULTILINE)
_PLACE = re.compile(r"(?P<file>main\.cpp|cuda\.cu)(?P<open>[:(])(?P<line>\d+)")


class Generated(NamedTuple):
    """Strings that torch writes to one file, one after the other."""

    argument: str
    first: int
    """Line of the first string in that file, from 1."""
    strings: list[str]


def inline_sources(arguments: dict[str, Any]) -> dict[str, Generated]:
    """File name -> the strings in it. Copied, since torch inserts into the caller's list."""
    found = {}
    for argument, (file, implicit) in _GENERATED.items():
        given = arguments.get(argument) or []
        strings = [given] if isinstance(given, str) else [text for text in given if isinstance(text, str)]
        before = 0 if arguments.get("no_implicit_headers") else implicit
        found[file] = Generated(argument, before + 1, strings)
    return found


class Listing:
    """The participant's Python file."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text

    def readable(self, message: str, generated: dict[str, Generated], scratch: Path) -> str:
        """Diagnostics only, each on a line of the Python file where the string stands there as it is."""
        message = message.replace(f"{scratch}/", "")
        lines = [line for line in message.splitlines() if not _NOISE.match(line)]
        text = _WHOLE.sub(f"{self._name}:", "\n".join(lines))
        return _PLACE.sub(lambda place: self._own(place, generated), text).strip() or message

    def _own(self, place: re.Match[str], generated: dict[str, Generated]) -> str:
        source, wanted = generated[place["file"]], int(place["line"])
        first = source.first
        for text in source.strings:
            after = first + text.count("\n") + 1
            at = self._text.find(text)
            if first <= wanted < after and at >= 0:
                return f"{self._name}{place['open']}{self._text.count(chr(10), 0, at) + 1 + wanted - first}"
            first = after
        return f"{source.argument}{place['open']}{max(wanted - source.first + 1, 1)}"
