"""What a process of a job must be able to read: the interpreter, its packages, and the toolchains it is told of."""

from __future__ import annotations

import functools
import importlib.util
import os
import site
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

OURS = ("kernelbot_core", "kernelbot_pytest.py", "problem_packs")
"""Of the folder that holds this package, in an editable install the whole checkout."""
PATHS = ("CUDA_HOME", "CUDA_PATH", "CUTLASS_PATH", "CUTLASS_HOME", "LD_LIBRARY_PATH")
"""Variables whose value is one folder or several."""
SITES = ("site-packages", "dist-packages")
"""What folders of installed packages are called."""


@functools.cache
def interpreter() -> list[str]:
    """Folders of this Python and of everything that an isolated start of it can import."""
    program = Path(sys.executable)
    found = [sys.prefix, sys.base_prefix, str(program.resolve().parents[1]), *_hops(program)]
    home = Path(__file__).resolve().parents[2]
    # An environment may add the packages of another one, by a line of code in a .pth file; an isolated start leaves
    # the user's own out.
    more = [place for place in sys.path if Path(place).name in SITES and place != site.getusersitepackages()]
    for folder in dict.fromkeys([*site.getsitepackages(), *more]):
        found += [folder, *_linked(Path(folder))]
    kept = [place for place in found if Path(place).resolve() != home]
    return [*dict.fromkeys(kept), *(str(home / name) for name in OURS if (home / name).exists())]


def _hops(path: Path) -> Iterator[str]:
    """Every link on the way from a program to what it is."""
    while path.is_symlink():
        path = path.parent / path.readlink()
        yield str(path)


def _linked(folder: Path) -> Iterator[str]:
    """Folders that the .pth files of a site folder add, as for an editable install."""
    for file in sorted(folder.glob("*.pth")):
        for line in file.read_text(errors="replace").splitlines():
            text = line.strip()
            if text and not text.startswith(("#", "import ", "import\t")) and (folder / text).is_dir():
                yield str(folder / text)


def packages(*objects: str) -> list[str]:
    """Folders of the packages that hold ``module:Class``, for those that no .pth file names.

    Looked for, not imported.
    """
    found: list[str] = []
    for name in objects:
        spec = importlib.util.find_spec(name.partition(":")[0].partition(".")[0])
        if spec is not None:
            found += list(spec.submodule_search_locations or [])
            found += [spec.origin] if spec.origin and not spec.submodule_search_locations else []
    return found


def named(env: Mapping[str, str]) -> list[str]:
    """Folders that an environment names."""
    places = (place for name in PATHS for place in env.get(name, "").split(os.pathsep))
    return [place for place in places if place.startswith("/") and place != "/" and Path(place).is_dir()]
