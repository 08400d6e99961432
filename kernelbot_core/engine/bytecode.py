"""Whether the packages that every process of a job imports were compiled when they were installed."""

from __future__ import annotations

import importlib.util
import shlex
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from kernelbot_core.model.device import Availability
from kernelbot_core.runner.visible import SITES

WITNESSES = {
    "torch": "functional.py", "triton": "runtime/jit.py", "numpy": "__init__.py", "hypothesis": "__init__.py",
    "pytest": "__init__.py", "kernelbot_core": "judge/session.py",
}  # fmt: skip
"""Package -> a file of it that is imported whenever a job needs the package: of our own one that the judge alone
imports, since the command line compiles what it imports itself."""
BY_TIME = 0
"""Flags of a compiled file that holds for one time and one length of its source."""


def check_bytecode(witnesses: Mapping[str, str] = WITNESSES) -> Availability:
    """Whether all of them that are installed start from compiled files; imports none of them.

    Processes of a job see installed packages read-only, so that what is not compiled is compiled anew in each of them:
    ``import torch`` takes 3.2 s then, 1.3 s else. A source tree (an editable install) does not count.

    :param witnesses: Package -> file in it, as in :data:`WITNESSES`.
    :return: Not ok with the packages, and the command that compiles all that is installed beside them.
    """
    bare: dict[str, Path] = {}
    for name, file in witnesses.items():
        spec = importlib.util.find_spec(name)
        places = spec.submodule_search_locations if spec else None
        for place in map(Path, places or ()):
            if place.parent.name in SITES and (place / file).is_file() and not compiled(place / file):
                bare[name] = place.parent
    if not bare:
        return Availability(ok=True)
    folders = [str(folder) for folder in dict.fromkeys(bare.values())]
    # Isolated, as the processes of a job are: a variable that moves the compiled files elsewhere means nothing to them.
    command = [sys.executable, "-I", "-m", "compileall", "-q", "-j", "0", *folders]
    why = f"not compiled, so that every process of a job compiles them anew (seconds each): {', '.join(bare)}"
    return Availability(ok=False, why=why, fix=shlex.join(command))


def compiled(source: Path) -> bool:
    """Whether an isolated start of this Python finds the file compiled, and the compiled file valid."""
    file = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError:
        return False
    if len(head) < 16 or head[:4] != importlib.util.MAGIC_NUMBER:
        return False
    flags, seconds, length = struct.unpack("<III", head[4:])
    found = source.stat()
    # Else by a hash of the source, which does not go stale on the way into an image.
    return flags != BY_TIME or (seconds, length) == (int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF)
