"""Finds packs by name or by path."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.packs import PackSource
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.load import load_problem


def find_problems(sources: Sequence[PackSource]) -> list[Path]:
    """Folders of all packs, sources in their order and names inside."""
    return [toml.parent for source in sources for toml in sorted(source.folder.glob("*/problem.toml"))]


def resolve(name_or_path: str, sources: Sequence[PackSource]) -> Problem:
    """The problem of that name, or of that folder when the text has a slash or is ``.`` or ``..``.

    :raises UsageError: There is none of that name; the hint names the nearest.
    :raises PackError: It is broken.
    """
    if "/" in name_or_path or name_or_path in (".", ".."):
        folder = Path(name_or_path)
        if not _is_pack(folder):
            raise UsageError(
                f"{name_or_path} is not a problem pack", "a pack is a folder with problem.toml and problem.py"
            )
        return load_problem(folder.resolve())
    folders: dict[str, Path] = {}
    for folder in find_problems(sources):
        if folder.name == name_or_path and folder.name in folders:
            raise UsageError(
                f"two packs are called {folder.name}: {folders[folder.name]} and {folder}", "give the path of one"
            )
        folders.setdefault(folder.name, folder)
    if name_or_path not in folders:
        raise UsageError(f"there is no problem {name_or_path}", _hint(name_or_path, list(folders)))
    return load_problem(folders[name_or_path])


def _is_pack(folder: Path) -> bool:
    """Whether there is a pack; a name that the system refuses, being too long or no text, is none."""
    try:
        return (folder / "problem.toml").is_file()
    except (OSError, ValueError):
        return False


def _hint(name: str, known: list[str]) -> str:
    if _is_pack(Path(name)):
        return f"the folder here is ./{name}"
    near = difflib.get_close_matches(name, known, 3)
    return f"did you mean {' or '.join(near)}?" if near else "`kernelbot problems` lists them"
