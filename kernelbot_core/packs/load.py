"""Reads a pack: problem.toml through a strict schema, problem.py only as text. No pack code runs, no torch."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Cell, Problem, ProblemFile
from kernelbot_core.packs.functions import check_functions
from kernelbot_core.packs.grid import bindings_of, cells_of
from kernelbot_core.packs.schema import convert
from kernelbot_core.packs.validate import check_file, check_separable
from kernelbot_core.text import one_line

FOLDER = re.compile(r"[a-z][a-z0-9_]{0,31}")
KNOWN_FORMAT = 1
LARGEST_FILE = 1 << 20
LONGEST_LINE = 500
"""Characters of an error, which may quote what is in the file."""
HINT = "the format is described in docs/reference/problem-toml.md"
A_PACK = "a pack is a folder with problem.toml and problem.py"


def load_problem(folder: Path) -> Problem:
    """Read a pack's folder.

    :raises PackError: One line with the file, the key and what is wrong with it.
    """
    folder = folder.resolve()
    path = folder / "problem.toml"
    if not FOLDER.fullmatch(folder.name):
        raise PackError(f"{folder}: a pack's folder is its name: small letters, digits and _, at most 32", "rename it")
    return _understood(folder, _read(path), _read(folder / "problem.py"))


@functools.lru_cache(maxsize=64)
def _understood(folder: Path, toml: bytes, code: bytes) -> Problem:
    """The same for the bytes of both files; a queue asks for few problems very often."""
    path = folder / "problem.toml"
    raw = _toml(path, toml)
    try:
        file, bindings, cells = _understand(raw)
    except ValueError as exc:
        raise PackError(f"{path}: {one_line(str(exc), LONGEST_LINE)}", HINT) from None
    check_functions(folder / "problem.py", code, file)
    return Problem(
        name=folder.name,
        path=str(folder),
        version=_version(raw, code),
        file=file,
        bindings=bindings,
        cells=cells,
    )


def _understand(raw: dict[str, Any]) -> tuple[ProblemFile, dict[str, dict[str, str]], list[Cell]]:
    file = convert(raw)
    bindings = bindings_of(file)
    check_file(file, bindings)
    cells = cells_of(file, bindings)
    check_separable(file)
    return file, bindings, cells


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # opening a pipe would wait for ever
            raise PackError(f"{path}: not a regular file", A_PACK)
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise PackError(f"{path}: there is no such file", A_PACK) from None
    except OSError as exc:
        raise PackError(f"{path}: {exc.strerror}", A_PACK) from None
    if len(data) > LARGEST_FILE:
        raise PackError(f"{path}: more than {LARGEST_FILE} bytes", "data does not belong here; inputs() makes it")
    return data


def _toml(path: Path, data: bytes) -> dict[str, Any]:
    try:
        raw = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise PackError(f"{path}: {exc}", "it must be TOML 1.0 in UTF-8") from None
    version = raw.get("format")
    if type(version) is int and version > KNOWN_FORMAT:
        what = f"format: {version} is newer than this kernelbot knows ({KNOWN_FORMAT})"
        raise PackError(f"{path}: {what}", "upgrade kernelbot")
    return raw


def _version(raw: dict[str, Any], code: bytes) -> str:
    """sha256 of problem.toml as canonical JSON, without what changes no verdict, and of the bytes of problem.py."""
    judged = {key: value for key, value in raw.items() if key not in ("title", "summary")}
    if "ranking" in judged:
        judged["ranking"] = {key: value for key, value in raw["ranking"].items() if key != "release"}
        if not judged["ranking"]:  # the same as no table at all
            del judged["ranking"]
    text = json.dumps(judged, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode() + b"\0" + code).hexdigest()
