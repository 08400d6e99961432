"""A copy of a pack with other sizes than its own, for kernels that take a chosen time."""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

Dims = Mapping[str, int]


def resized(folder: Path, sizes: Mapping[str, Dims], target: Path) -> Path:
    """Copy a pack into the folder ``target``, with these sizes instead of its own.

    :param sizes: Name -> dims.
    :raises SystemExit: Its problem.toml has no table of sizes.
    """
    copy = Path(shutil.copytree(folder, target / folder.name))
    lines = [f"{name} = {{ {', '.join(f'{dim} = {n}' for dim, n in dims.items())} }}" for name, dims in sizes.items()]
    section = "[grid.sizes]\n" + "\n".join(lines) + "\n\n"
    path = copy / "problem.toml"
    text, count = re.subn(r"^\[grid\.sizes\].*?(?=^\[|\Z)", section, path.read_text(), flags=re.S | re.M)
    if count != 1:
        raise SystemExit(f"{folder / 'problem.toml'} has no table [grid.sizes]")
    path.write_text(text)
    return copy


def named_size(text: str) -> tuple[str, Dims]:
    """Name and dims of ``NAME:DIM=N[,DIM=N]``, as the type of an option.

    :raises argparse.ArgumentTypeError: It is something else.
    """
    if not re.fullmatch(r"\w+:[A-Za-z_]\w*=\d+(,[A-Za-z_]\w*=\d+)*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME:DIM=N[,DIM=N], as in us47:n=16777216")
    name, _, dims = text.partition(":")
    return name, {dim: int(n) for dim, _, n in (part.partition("=") for part in dims.split(","))}
