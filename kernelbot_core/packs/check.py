"""Holds a pack against itself: statement, grid, tolerance and strategies. Its samples need a judge and come later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Cell, Problem
from kernelbot_core.packs.check_cells import PackUnderTest, check_cell, guarded
from kernelbot_core.packs.check_properties import check_property
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.finding import Finding

SHORTEST = 30
"""Words of a statement that says something."""


def check_pack(problem: Problem) -> Iterator[Finding]:
    """Everything that can be proved without judging a submission, one finding after the other. Imports torch."""
    yield check_statement(Path(problem.path))
    try:
        code = load_code(Path(problem.path))
    except PackError as exc:
        yield Finding("pack", "problem.py", "import", False, exc.message)
        return
    yield Finding("pack", "problem.py", "import", True)
    pack = PackUnderTest(problem, code)
    for cell in problem.cells:
        yield from guarded("cell", cell.name, "call", check_cell(pack, cell))
    for name in problem.file.properties:
        for cell in _one_per_dtype(problem):
            yield from guarded("property", f"{name}-{cell.dtype}", "cases", check_property(pack, name, cell))


def check_statement(folder: Path) -> Finding:
    """README.md is there and says something."""
    path = folder / "README.md"
    try:
        words = len(path.read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as exc:
        why = getattr(exc, "strerror", None) or "is not UTF-8"
        return Finding("pack", "README.md", "statement", False, f"{path}: {why}; participants read the problem there")
    ok = words >= SHORTEST
    text = f"{words} words" if ok else f"{path}: {words} words; a statement says what is computed, shapes and dtypes"
    return Finding("pack", "README.md", "statement", ok, text)


def _one_per_dtype(problem: Problem) -> list[Cell]:
    return list({cell.dtype: cell for cell in reversed(problem.cells)}.values())[::-1]
