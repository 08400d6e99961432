"""What a complete check of a pack's code has to say, by its files alone: a process that ends early must not pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernelbot_core.model.problem import Cell, Problem
from kernelbot_core.packs.check import one_per_dtype
from kernelbot_core.packs.check_cells import LARGEST, elements
from kernelbot_core.packs.finding import Finding

Key = tuple[str, str, str]
"""Group, name and check of a finding."""


def planned(problem: Problem) -> Iterator[Key]:
    """Findings of :func:`kernelbot_core.packs.check.check_code` for a sound pack, at least."""
    yield "pack", "problem.py", "import"
    for cell in problem.cells:
        yield from (("cell", cell.name, check) for check in _of_cell(problem, cell))
    for name in problem.file.properties:
        yield from (("property", f"{name}-{cell.dtype}", "cases") for cell in one_per_dtype(problem))


def unsaid(problem: Problem, findings: Iterable[Finding]) -> list[Key]:
    """Planned findings that are not among these."""
    said = {(finding.group, finding.name, finding.check) for finding in findings}
    return [key for key in planned(problem) if key not in said]


def _of_cell(problem: Problem, cell: Cell) -> list[str]:
    if "cpu" not in cell.devices or elements(problem, cell.dims) > LARGEST:
        return ["rounded"]
    separable = problem.signature.separable
    blocks = separable is not None and cell.dims[separable] > 1
    return ["rounded", "baseline", "zeros", "stale", *(["blocks"] if blocks else [])]
