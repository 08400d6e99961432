"""The first pass over problem.toml: types and keys, by msgspec, and its errors in the words of the file's author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from kernelbot_core.model.problem import Accumulate, Difficulty, Elementwise, ProblemFile, Ranking, Scalar

NAME = "a name is small letters, digits and _, starts with a letter and has at most 32 of them"
_PLACE = re.compile(r"(?P<what>.*?)(?: - at (?:`key` in )?`\$\.?(?P<place>[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\[(\d+|\.\.\.)\]|([^.\[\]]+)")


def _literals(table: type, key: str) -> tuple[str, ...]:
    kind = msgspec.structs.fields(table)
    (found,) = [field.type for field in kind if field.name == key]
    return get_args(found)


CHOICES: dict[str, tuple[str, ...]] = {
    "difficulty": get_args(Difficulty),
    "tolerance.rule": ("elementwise", "accumulate", "exact", "check"),
    "tolerance.scale": _literals(Elementwise, "scale"),
    "tolerance.accumulate": _literals(Accumulate, "accumulate"),
    "scalars.dtype": _literals(Scalar, "dtype"),
    "ranking.release": ("first", "never", "a number of days"),
    "ranking.order": get_args(_literals(Ranking, "order")[0]),
}
"""Key (without places in lists) -> what it may be."""
WORDS = {
    "int": "an integer",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "int | str": "an integer or an expression",
    "float | str": "a number or an expression",
    "object | str": "a table or text",
    "bool | int | array": "an integer or an option",
}
"""Types as msgspec calls them, and as people do."""


def convert(raw: dict[str, Any]) -> ProblemFile:
    """Typed and frozen.

    :raises ValueError: ``key: what``, one line.
    """
    try:
        return msgspec.convert(raw, ProblemFile)
    except msgspec.ValidationError as exc:
        raise ValueError(_explain(raw, str(exc))) from None


def _explain(raw: dict[str, Any], text: str) -> str:
    found = _PLACE.fullmatch(text)
    what, place = (found["what"], found["place"] or "") if found else (text, "")
    if "..." in place:
        place = _spell_out(raw, text, place)
    if key := re.search(r"(unknown|required) field `([^`]*)`", what):
        dot = "." if place else ""
        return f"{place}{dot}{key[2]}: {'unknown key' if key[1] == 'unknown' else 'is missing'}"
    if "matching regex" in what:
        bad = _bad_name(raw, place)
        return f"{place or 'top level'}: {bad}{NAME}"
    if what.startswith("Invalid"):
        options = next((o for key, o in CHOICES.items() if re.sub(r"\[\d+\]", "", place).endswith(key)), ())
        value = what.rpartition(" value ")[2]
        return f"{place}: {value} is not one of {', '.join(options)}" if options else f"{place}: {value} is not known"
    what = re.sub("`([^`]*)`", lambda kind: WORDS.get(kind[1], kind[1]), what)
    return f"{place or 'top level'}: {what[:1].lower()}{what[1:]}"


def _bad_name(raw: dict[str, Any], place: str) -> str:
    value = _at(raw, place)
    if isinstance(value, str):
        return f"{value!r} is no name: "
    if isinstance(value, dict):
        names = [key for key in value if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", key)]
        return f"{names[0]!r} is no name: " if names else ""
    return ""


def _steps(place: str) -> Iterator[str | int]:
    for number, name in _STEP.findall(place):
        yield name or (number if number == "..." else int(number))


def _at(raw: Any, place: str) -> Any:
    for step in _steps(place):
        try:
            raw = raw[step]
        except (KeyError, IndexError, TypeError):
            return None
    return raw


def _spell_out(raw: dict[str, Any], text: str, place: str) -> str:
    """A key of a free table is ``[...]`` in msgspec's text: it is the one that gives the same error alone."""
    before, _, after = place.partition("[...]")
    table = _at(raw, before)
    for key in table if isinstance(table, dict) else ():
        alone = _with(raw, list(_steps(before)), {key: table[key]})
        try:
            msgspec.convert(alone, ProblemFile)
        except msgspec.ValidationError as exc:
            if str(exc) == text:
                spelt = f"{before}.{key}{after}"
                return _spell_out(alone, text, spelt) if "..." in spelt else spelt
    return f"{before}{after}"


def _with(raw: Any, steps: list[str | int], value: Any) -> Any:
    """A copy of ``raw`` in which the thing at ``steps`` is ``value``."""
    if not steps:
        return value
    copy = dict(raw) if isinstance(raw, dict) else list(raw)
    copy[steps[0]] = _with(copy[steps[0]], steps[1:], value)  # type: ignore[index]  # dict or list
    return copy
