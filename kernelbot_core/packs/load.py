"""Reads a pack: problem.toml through a strict schema, problem.py only as text. No pack code runs, no torch."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Problem, ProblemFile
from kernelbot_core.packs.functions import check_functions
from kernelbot_core.packs.grid import bindings_of, cells_of
from kernelbot_core.packs.validate import check_file

FOLDER = re.compile(r"^[a-z][a-z0-9_]{0,31}$")
KNOWN_FORMAT = 1
HINT = "the format is described in docs/reference/problem-toml.md"


def load_problem(folder: Path) -> Problem:
    """Read a pack's folder.

    :raises PackError: One line with the file, the key and what is wrong with it.
    """
    path = folder / "problem.toml"
    if not FOLDER.match(folder.name):
        raise PackError(f"{folder}: a pack's folder is its name: small letters, digits and _, at most 32", "rename it")
    raw = _read(path)
    file = _convert(path, raw)
    try:
        bindings = bindings_of(file)
        check_file(file, bindings)
        cells = cells_of(file, bindings)
    except ValueError as exc:
        raise PackError(f"{path}: {exc}", HINT) from None
    code = _code(folder)
    check_functions(folder / "problem.py", code, file)
    return Problem(
        name=folder.name,
        path=str(folder.resolve()),
        version=_version(raw, code),
        file=file,
        bindings=bindings,
        cells=cells,
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise PackError(
            f"{path}: there is no such file", "a pack is a folder with problem.toml and problem.py"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as exc:
        raise PackError(f"{path}: {exc}", "it must be TOML in UTF-8") from None


def _convert(path: Path, raw: dict[str, Any]) -> ProblemFile:
    version = raw.get("format")
    if isinstance(version, int) and version > KNOWN_FORMAT:
        raise PackError(
            f"{path}: format: {version} is newer than this kernelbot knows ({KNOWN_FORMAT})", "upgrade kernelbot"
        )
    try:
        return msgspec.convert(raw, ProblemFile)
    except msgspec.ValidationError as exc:
        what, _, where = str(exc).partition(" - at `$.")
        key = where.rstrip("`") or "top level"
        raise PackError(f"{path}: {key}: {what[:1].lower()}{what[1:]}", HINT) from None


def _code(folder: Path) -> str:
    path = folder / "problem.py"
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as exc:
        raise PackError(f"{path}: {exc}", "a pack is a folder with problem.toml and problem.py") from None


def _version(raw: dict[str, Any], code: str) -> str:
    """sha256 of problem.toml as canonical JSON, without title and summary, and of the bytes of problem.py."""
    judged = {key: value for key, value in raw.items() if key not in ("title", "summary")}
    text = json.dumps(judged, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode() + b"\0" + code.encode()).hexdigest()
