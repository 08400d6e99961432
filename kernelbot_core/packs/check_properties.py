"""Strategies of a pack: what they draw is a call that the signature allows, and that the baseline gets right."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from kernelbot_core.case import Case
from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Cell, Signature
from kernelbot_core.packs.check_cells import LARGEST, PackUnderTest, check_call, draw_example, elements
from kernelbot_core.packs.finding import Finding


def check_property(pack: PackUnderTest, name: str, cell: Cell) -> Iterator[Finding]:
    """Draw up to the property's number of examples; the first that is unsound is named."""
    row = f"{name}-{cell.dtype}"
    examples = drawn(pack, name, cell)
    for example in examples:
        why = unsound(example, pack.problem.signature)
        if why:
            yield Finding("property", row, "cases", False, why)
            return
    yield Finding("property", row, "cases", bool(examples), f"{len(examples)} drawn" if examples else "draws nothing")
    small = [example for example in examples if elements(pack.problem, example.dims) <= LARGEST]
    rows = [finding for example in small for finding in _call(pack, row, cell.dtype, example)]
    for check in ("rounded", "baseline"):
        mine = [finding for finding in rows if finding.check == check]
        bad = next((finding for finding in mine if not finding.ok), None)
        if bad is not None:
            yield bad
        elif mine:
            yield Finding("property", row, check, True, f"{len(mine)} passed")


def drawn(pack: PackUnderTest, name: str, cell: Cell) -> list[Any]:
    """Distinct examples, as hypothesis proposes them, the same in every run."""
    import hypothesis
    import torch
    from hypothesis.configuration import set_hypothesis_home_dir

    native = {variable: getattr(torch, DTYPES[dtype].torch) for variable, dtype in cell.binding.items()}
    strategy = pack.oracle.strategy(name, SimpleNamespace(dims=cell.dims, dtypes=native, device="cpu"))
    found: dict[str, Any] = {}

    @hypothesis.settings(
        max_examples=pack.problem.file.properties[name].examples, derandomize=True, database=None, deadline=None,
        phases=(hypothesis.Phase.generate,), suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(strategy)
    def collect(example: Any) -> None:
        found.setdefault(_key(example), example)

    with tempfile.TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)  # else it leaves .hypothesis where the command was called
        try:
            collect()
        finally:
            set_hypothesis_home_dir(None)
    return list(found.values())


def unsound(example: Any, signature: Signature) -> str:
    """What is wrong with an example, or an empty string."""
    if not isinstance(example, Case):
        return f"draws {type(example).__name__}, not kernelbot_core.Case"
    if set(example.dims) != set(signature.dims):
        return f"draws dims {sorted(example.dims)}, the signature has {sorted(signature.dims)}"
    bad = {name: value for name, value in example.dims.items() if type(value) is not int or value < 1}
    if bad:
        return f"draws {', '.join(f'{name} = {value!r}' for name, value in bad.items())}; dims are integers from 1"
    extents = [extent for shape in signature.shapes(example.dims) for extent in shape]
    return f"draws dims {example.dims}, which give an extent of {min(extents)}" if min(extents, default=1) < 1 else ""


def _call(pack: PackUnderTest, row: str, label: str, example: Case) -> Iterator[Finding]:
    inputs = draw_example(pack, label, example)
    said = ", ".join([*(f"{name} = {value}" for name, value in example.dims.items()), *filter(None, [example.note])])
    for one in check_call(pack, "property", row, label, example.dims, inputs, {}):
        yield one if one.ok else Finding(one.group, one.name, one.check, one.ok, f"{said}: {one.text}")


def _key(example: Any) -> str:
    if not isinstance(example, Case):
        return repr(example)
    planted = example.note or (id(example.fill) if example.fill else "")
    return f"{sorted(example.dims.items())}{planted}"
