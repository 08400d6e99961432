"""One call of a pack held against its own tolerance: what must pass passes, what must fail fails. On the CPU."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from kernelbot_core.case import Case
from kernelbot_core.judge.compare import Comparison, as_outputs, compare
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Cell, Problem
from kernelbot_core.packs.check_blocks import check_blocks
from kernelbot_core.packs.code import raised_in
from kernelbot_core.packs.finding import Finding
from kernelbot_core.text import percent
from kernelbot_core.worker.baseline import load

LARGEST = 64 << 20
"""Elements of all tensors of a cell; beyond it a CPU takes too long."""
MUST_PASS = {
    "rounded": "the reference, rounded to the output's dtype, is refused: the tolerance is tighter than rounding",
    "baseline": "the baseline in the cell's own dtype is refused",
}
MUST_FAIL = {
    "zeros": "an output of zeros passes: the tolerance is too wide, or the inputs are too tame",
    "stale": "the answer to other inputs passes: the tolerance is too wide, or the inputs do not change",
}


class PackUnderTest:
    """A pack with its code imported."""

    def __init__(self, problem: Problem, code: ModuleType) -> None:
        self.problem, self.code = problem, code
        self.oracle = Oracle(problem, code, "cpu")
        self._baseline = load(Path(problem.path), problem.signature)

    def expected(self, dims: dict[str, int], inputs: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """fp64 copies of the inputs, and the outputs of the reference for them.

        :raises ValueError: The reference breaks the signature.
        """
        exact = [t.double() if t.dtype.is_floating_point else t for t in inputs]
        found = as_outputs(self.code.reference(*exact))
        wanted = self.problem.signature.shapes(dims)[len(inputs) :]
        shapes = [tuple(t.shape) for t in found]
        if shapes != wanted:
            raise ValueError(f"reference() gave outputs of {shapes}, the signature says {wanted}")
        return exact, found

    def native(self, label: str, dims: dict[str, int], inputs: Sequence[Any]) -> list[Any]:
        """Outputs of the baseline."""
        outputs = [t.fill_(1) for t in self.blank(label, dims)]
        self._baseline(*(t.clone() for t in inputs), *outputs, *self.problem.signature.scalar_values(dims))
        return outputs

    def blank(self, label: str, dims: dict[str, int]) -> list[Any]:
        """Output tensors of zeros."""
        import torch

        signature = self.problem.signature
        dtypes = signature.dtypes(self.problem.bindings[label])
        kinds = zip(signature.shapes(dims), dtypes, strict=True)
        return [
            torch.zeros(shape, dtype=getattr(torch, DTYPES[d].torch))
            for shape, d in list(kinds)[len(signature.inputs) :]
        ]

    def rounded(self, label: str, dims: dict[str, int], expected: Sequence[Any]) -> list[Any]:
        """The reference's outputs in the dtypes of the signature."""
        return [want.to(have.dtype) for want, have in zip(expected, self.blank(label, dims), strict=True)]


def elements(problem: Problem, dims: dict[str, int]) -> int:
    """Elements of all tensors of one call."""
    return sum(math.prod(shape) for shape in problem.signature.shapes(dims))


def check_cell(pack: PackUnderTest, cell: Cell) -> Iterator[Finding]:
    """Everything that one cell of the grid has to prove."""
    size = elements(pack.problem, cell.dims)
    if "cpu" not in cell.devices or size > LARGEST:
        why = "for GPUs" if "cpu" not in cell.devices else f"{size} elements: too large for a check on the CPU"
        yield Finding("cell", cell.name, "rounded", None, why)
        return
    inputs = pack.oracle.draw(cell.dtype, cell.dims, 1).tensors()
    yield check_seed(cell, inputs, pack.oracle.draw(cell.dtype, cell.dims, 1).tensors())
    others = pack.oracle.draw(cell.dtype, cell.dims, 2).tensors()

    def stale() -> list[Any]:
        return pack.rounded(cell.dtype, cell.dims, pack.expected(cell.dims, others)[1])

    wrong = {"zeros": lambda: pack.blank(cell.dtype, cell.dims), "stale": stale}
    yield from check_call(pack, "cell", cell.name, cell.dtype, cell.dims, inputs, wrong)
    proof = check_blocks(pack.problem.signature, pack.code, cell, pack.expected(cell.dims, inputs)[0])
    if proof is not None:
        yield proof


def check_seed(cell: Cell, inputs: Sequence[Any], again: Sequence[Any]) -> Finding:
    """Two draws of one seed are the same, bit for bit: a report's seeds are worth nothing otherwise.

    A ranked run's inputs would then also not come from its secret seed: torch's own generator starts out the same in
    every process.
    """
    import torch

    def raw(tensor: Any) -> Any:  # NaN, which is no equal of itself, has to be the same too
        return tensor.reshape(-1).view(torch.uint8)

    ok = all(torch.equal(raw(one), raw(other)) for one, other in zip(inputs, again, strict=True))
    why = "" if ok else "two calls of inputs() with one seed differ: draw everything from gen"
    return Finding("cell", cell.name, "seed", ok, why)


def check_call(
    pack: PackUnderTest,
    group: str,
    name: str,
    label: str,
    dims: dict[str, int],
    inputs: Sequence[Any],
    wrong: dict[str, Callable[[], list[Any]]],
) -> Iterator[Finding]:
    """The rounded reference and the baseline must pass, each of ``wrong`` must fail."""
    exact, expected = pack.expected(dims, inputs)

    def judge(got: Sequence[Any]) -> Comparison:
        return compare(pack.problem, pack.problem.bindings[label], dims, exact, expected, got, pack.code)

    for check, make in {
        "rounded": lambda: pack.rounded(label, dims, expected),
        "baseline": lambda: pack.native(label, dims, inputs),
        **wrong,
    }.items():
        try:
            verdict = judge(make())
        except NotImplementedError as exc:  # torch lacks kernels for some dtypes on the CPU
            yield Finding(group, name, check, None, _first_line(exc))
            continue
        ok = verdict.ok == (check in MUST_PASS)
        yield Finding(group, name, check, ok, _words(check, verdict, ok=ok))


def guarded(group: str, name: str, check: str, steps: Iterator[Finding], code: Path) -> Iterator[Finding]:
    """The same findings; what the pack's code raises becomes the last one, with the line of ``code``."""
    try:
        yield from steps
    except Exception as exc:  # noqa: BLE001 - foreign code: a pack may raise anything
        yield Finding(group, name, check, False, f"{type(exc).__name__}: {_first_line(exc)}{raised_in(code, exc)}")


def draw_example(pack: PackUnderTest, label: str, example: Case) -> list[Any]:
    """Inputs of one drawn case."""
    return pack.oracle.draw(label, example.dims, 3, example).tensors()


def _words(check: str, verdict: Comparison, *, ok: bool) -> str:
    share = percent(verdict.fraction) if math.isfinite(verdict.fraction) else "not finite"
    if ok:
        return share if check in MUST_PASS else "refused"
    why = {**MUST_PASS, **MUST_FAIL}[check]
    return f"{why} ({verdict.error.message})" if verdict.error else f"{why} ({share} of what is allowed)"


def _first_line(exc: Exception) -> str:
    return (str(exc).strip().splitlines() or ["no message"])[0][:300]
