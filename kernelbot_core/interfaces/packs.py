"""Where problem packs are found."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class PackSource(Struct, frozen=True, kw_only=True):
    """A folder whose sub-folders with a problem.toml are packs."""

    name: str
    folder: Path
