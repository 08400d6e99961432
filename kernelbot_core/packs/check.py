"""Holds a pack against itself: statement, grid, tolerance and strategies. Its samples need a judge and come later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Cell, Problem
from kernelbot_core.model.prototype import c_prototype, python_prototype
from kernelbot_core.packs.check_cells import PackUnderTest, check_cell, guarded
from kernelbot_core.packs.check_properties import check_property
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.finding import Finding

SHORTEST = 30
"""Words of a statement that says something."""
PASSES = 4
"""Known work is what a call cannot avoid; more passes over all tensors than these are a slip in the formula."""


def check_pack(problem: Problem) -> Iterator[Finding]:
    """Everything that can be proved without judging a submission, one finding after the other. Imports torch."""
    yield from check_files(problem)
    yield from check_code(problem)


def check_files(problem: Problem) -> Iterator[Finding]:
    """What can be told without the pack's code."""
    yield check_statement(problem)
    yield check_work(problem)


def check_code(problem: Problem) -> Iterator[Finding]:
    """What the pack's code says of itself. Runs it, with all that this process may do."""
    folder = Path(problem.path)
    try:
        code = load_code(folder)
    except PackError as exc:
        yield Finding("pack", "problem.py", "import", False, exc.message)
        return
    yield Finding("pack", "problem.py", "import", True)
    pack, file = PackUnderTest(problem, code), folder / "problem.py"
    for cell in problem.cells:
        yield from guarded("cell", cell.name, "call", check_cell(pack, cell), file)
    for name in problem.file.properties:
        for cell in one_per_dtype(problem):
            yield from guarded("property", f"{name}-{cell.dtype}", "cases", check_property(pack, name, cell), file)


def check_statement(problem: Problem) -> Finding:
    """README.md is there, says something, and states the call as problem.toml does."""
    path = Path(problem.path) / "README.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        why = getattr(exc, "strerror", None) or "is not UTF-8"
        return Finding("pack", "README.md", "statement", False, f"{path}: {why}; participants read the problem there")
    words, python, c = len(text.split()), python_prototype(problem.signature), c_prototype(problem.signature)
    if words < SHORTEST:
        why = f"{words} words, at least {SHORTEST}: a statement says what is computed, shapes and dtypes"
    elif python not in text:
        why = f"the call is not in it: {python}"
    elif 'extern "C"' in text and c not in text:
        why = f"the call in C is another: {c}"
    else:
        return Finding("pack", "README.md", "statement", True, f"{words} words")
    return Finding("pack", "README.md", "statement", False, f"{path}: {why}")


def check_work(problem: Problem) -> Finding:
    """At least the outputs are written, and no cell moves many times what there is."""
    signature = problem.signature
    for cell in problem.cells:
        sizes = signature.nbytes(cell.dims, cell.binding)
        least, most = sum(sizes[len(signature.inputs) :]), PASSES * sum(sizes)
        if not least <= cell.bytes <= most:
            why = f"bytes is {cell.bytes} at {cell.name}; outputs alone are {least}, {PASSES} x all tensors {most}"
            return Finding("pack", "problem.toml", "work", False, why)
    return Finding("pack", "problem.toml", "work", True)


def one_per_dtype(problem: Problem) -> list[Cell]:
    """The first cell of each dtype."""
    return list({cell.dtype: cell for cell in reversed(problem.cells)}.values())[::-1]
