"""A problem that says it is separable proves it: blocks of a call, one by one, give what the whole call gives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

from kernelbot_core.judge.blocks import divided
from kernelbot_core.judge.compare import as_outputs
from kernelbot_core.model.problem import Cell, Signature
from kernelbot_core.packs.finding import Finding

PARTS = 3
CLOSE = 1e-9
"""Relative difference in fp64; another order of summing inside a slice is no dependence."""


def check_blocks(signature: Signature, code: ModuleType, cell: Cell, exact: Sequence[Any]) -> Finding | None:
    """Hold ``reference`` and ``magnitude`` of slices against slices of the whole; None where there is nothing to hold.

    :param exact: fp64 copies of the inputs of the cell, as the oracle gets them.
    """
    dim = signature.separable
    if dim is None or cell.dims[dim] < 2:
        return None
    extent = cell.dims[dim]
    cuts = sorted({extent * part // PARTS for part in range(PARTS)} | {extent - 1, extent})
    for name in ("reference", "magnitude"):
        function = getattr(code, name, None)
        if function is None:
            continue
        whole = as_outputs(function(*exact))
        for start, stop in pairwise(cuts):
            rows = slice(start, stop)
            part = [t[rows] if split else t for t, split in zip(exact, divided(signature), strict=False)]
            found = as_outputs(function(*part))
            if not all(_same(one[rows], other) for one, other in zip(whole, found, strict=True)):
                why = (
                    f"{name}() of {dim} = {start} to {stop} is not that slice of the whole: take signature.separable "
                    "out of problem.toml, or put the function right"
                )
                return Finding("cell", cell.name, "blocks", False, why)
    return Finding("cell", cell.name, "blocks", True)


def _same(one: Any, other: Any) -> bool:
    import torch

    if one.shape != other.shape:
        return False
    if not one.dtype.is_floating_point:
        return bool(torch.equal(one, other))
    return bool(torch.allclose(one, other, rtol=CLOSE, atol=0.0, equal_nan=True))
