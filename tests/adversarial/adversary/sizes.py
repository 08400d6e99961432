"""vector_add at sizes whose times are telling on a GPU: about 5, 20, 50 and 190 us on an H200."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
from pathlib import Path

from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.load import load_problem

from .catalog import ROOT

SIZES = {"us5": 512 << 10, "us20": 6 << 20, "us50": 17 << 20, "us200": 64 << 20}
"""Elements of fp32; the names say about how many microseconds that is at 4.4 TB/s."""
GPU_SIZES = {"vector_add": "us50", "matmul": "medium", "softmax": "square"}
"""Cells that are timed on a GPU: below 10 us two processes with the same kernel differ by some per cent."""


@functools.cache
def timed_pack() -> Problem:
    """vector_add with these sizes, in a folder that lasts as long as this process."""
    folder = Path(_folder().name) / "vector_add"
    folder.mkdir()
    original = ROOT / "problem_packs" / "vector_add"
    shutil.copy(original / "problem.py", folder)
    shutil.copy(original / "README.md", folder)
    sizes = "".join(f"{name} = {{ n = {n} }}\n" for name, n in SIZES.items())
    text = (original / "problem.toml").read_text()
    text, count = re.subn(r"(?m)^\[grid\.sizes\].*\n(?:(?!\[).*\n)*", f"[grid.sizes]\n{sizes}\n", text)
    if count != 1:
        raise SystemExit(f"{original / 'problem.toml'} has no table [grid.sizes]")
    (folder / "problem.toml").write_text(text)
    return load_problem(folder)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="adversary-")


def on_gpu(problem: str, size: str = "") -> tuple[str | Problem, str]:
    """The pack that stands for a problem where it is timed on a GPU, and the size: the given one, or the usual."""
    return (timed_pack() if problem == "vector_add" else problem), size or GPU_SIZES[problem]
