"""What the tests about the repository share: where it is, and what it holds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def pyproject(root: Path) -> dict:
    """pyproject.toml, read."""
    return tomllib.loads((root / "pyproject.toml").read_text())
