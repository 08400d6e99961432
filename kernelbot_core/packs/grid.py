"""From ``[grid]`` to cells: every size x dtype and what is derived from it. Errors are ValueErrors ``key: what``."""

from __future__ import annotations

import re

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.expression import ExpressionError, evaluate
from kernelbot_core.model.problem import Accumulate, Cell, ProblemFile

OPTIONS: dict[str, type] = {"ranked": bool, "dtypes": list, "devices": list}
DEVICES = ["cpu", "gpu"]
BIGGEST = 2**48
"""Largest extent of a tensor."""
MOST_CELLS = 1000
"""Each is evaluated whenever a pack is read, and is a case of every job."""
INT = {"int32": 2**31 - 1, "int64": 2**63 - 1}
_LABEL = re.compile(r"[a-z][a-z0-9_]{0,31}")
_VARIABLE = re.compile(r"[A-Z][A-Za-z0-9_]{0,15}")


def bindings_of(file: ProblemFile) -> dict[str, dict[str, str]]:
    """Dtype label -> dtype of each variable. ``"fp32"`` is short for ``{name = "fp32", T = "fp32"}``."""
    bindings: dict[str, dict[str, str]] = {}
    for entry in file.grid.dtypes:
        bound = {"name": entry, "T": entry} if isinstance(entry, str) else dict(entry)
        label = bound.pop("name", "")
        if not _LABEL.fullmatch(label):
            raise ValueError(f"grid.dtypes: an entry needs a name of small letters, digits and _ (got {label!r})")
        if label in bindings:
            raise ValueError(f"grid.dtypes: {label} is there twice")
        for variable, dtype in bound.items():
            if not _VARIABLE.fullmatch(variable):  # becomes a macro KB_<variable>, beside those of the labels
                raise ValueError(f"grid.dtypes.{label}: a dtype variable starts with a capital (got {variable!r})")
            if dtype not in DTYPES:
                raise ValueError(
                    f"grid.dtypes.{label}.{variable}: unknown dtype {dtype!r} (known: {', '.join(DTYPES)})"
                )
        bindings[label] = bound
    return bindings


def cells_of(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> list[Cell]:
    """All cells, sizes in the order of the file and dtypes inside."""
    if len(file.grid.sizes) * len(bindings) > MOST_CELLS:
        raise ValueError(f"grid: {len(file.grid.sizes)} sizes x {len(bindings)} dtypes; at most {MOST_CELLS} cells")
    cells = [
        _cell(file, size, label, bindings[label])
        for size, spec in file.grid.sizes.items()
        for label in _labels(size, spec, bindings)
    ]
    if not any(cell.ranked for cell in cells):
        raise ValueError("grid.sizes: no size is ranked")
    for key, wanted in (("sizes", list(file.grid.sizes)), ("dtypes", list(bindings))):
        used = {cell.size if key == "sizes" else cell.dtype for cell in cells}
        for name in wanted:
            if name not in used:
                raise ValueError(f"grid.{key}: {name} has no cell")
    shown = file.ranking.dtype or next(iter(bindings))
    if not any(cell.ranked and cell.dtype == shown for cell in cells):
        raise ValueError(f"grid.sizes: no size is ranked for {shown}, whose board is shown first")
    return cells


def _labels(size: str, spec: dict[str, int | bool | list[str]], bindings: dict[str, dict[str, str]]) -> list[str]:
    chosen = spec.get("dtypes", list(bindings))
    assert isinstance(chosen, list)
    for label in chosen:
        if label not in bindings or chosen.count(label) > 1:
            raise ValueError(
                f"grid.sizes.{size}.dtypes: {label!r} is there twice or not in grid.dtypes ({', '.join(bindings)})"
            )
    return chosen


def _cell(file: ProblemFile, size: str, label: str, binding: dict[str, str]) -> Cell:
    spec, dims = file.grid.sizes[size], dims_of(file, size)
    _shapes(file, size, dims)
    _scalars(file, size, dims)
    if isinstance(file.tolerance, Accumulate) and _number(file.tolerance.length, dims, binding, "tolerance.length") < 1:
        raise ValueError(f"tolerance.length: {file.tolerance.length!r} is below 1 at size {size}")
    moved = _number(file.work.bytes, dims, binding, "work.bytes")
    flops = _number(file.work.flops, dims, binding, "work.flops")
    for key, value, least in (("bytes", moved, 1), ("flops", flops, 0)):
        if not least <= value <= INT["int64"]:
            raise ValueError(f"work.{key}: {value} at size {size} makes no sense")
    devices = spec.get("devices", DEVICES)
    assert isinstance(devices, list)
    return Cell(
        size=size, dtype=label, dims=dims, binding=binding, ranked=bool(spec.get("ranked", True)), devices=devices,
        bytes=moved, flops=flops,
    )  # fmt: skip


def _shapes(file: ProblemFile, size: str, dims: dict[str, int]) -> None:
    for tensor in file.signature.tensors:
        elements = 1
        for extent in tensor.shape:
            value = _number(extent, dims, {}, f"signature.{tensor.name}.shape")
            elements *= value
            if not 1 <= value <= elements <= BIGGEST:
                what = f"{extent!r} is {value} at size {size}"
                raise ValueError(f"signature.{tensor.name}.shape: {what}; extents lie between 1 and 2**48")


def _scalars(file: ProblemFile, size: str, dims: dict[str, int]) -> None:
    for scalar in file.signature.scalars:
        if isinstance(scalar.value, str):
            value = _number(scalar.value, dims, {}, f"signature.{scalar.name}.value")
            if abs(value) > INT.get(scalar.dtype, INT["int64"]):
                raise ValueError(f"signature.{scalar.name}.value: {value} at size {size} is beyond {scalar.dtype}")


def dims_of(file: ProblemFile, size: str) -> dict[str, int]:
    """Dimensions of a size, in the order of the signature."""
    spec = file.grid.sizes[size]
    for key, value in spec.items():
        where = f"grid.sizes.{size}.{key}"
        if key in file.signature.dims:
            if type(value) is not int or not 1 <= value <= BIGGEST:
                raise ValueError(f"{where}: {value!r} is not an integer from 1 to 2**48")
        elif key not in OPTIONS:
            known = ", ".join([*file.signature.dims, *OPTIONS])
            raise ValueError(f"{where}: neither a dimension nor an option (known: {known})")
        elif not isinstance(value, OPTIONS[key]):
            raise ValueError(f"{where}: {value!r} is not {'true or false' if key == 'ranked' else 'a list'}")
        elif key == "devices" and (not value or not set(value) <= set(DEVICES)):  # type: ignore[arg-type]  # checked above
            raise ValueError(f"{where}: {value!r} is not a list of {' and '.join(DEVICES)}")
    missing = [dim for dim in file.signature.dims if dim not in spec]
    if missing:
        raise ValueError(f"grid.sizes.{size}: {', '.join(missing)} is missing")
    return {dim: int(spec[dim]) for dim in file.signature.dims}  # type: ignore[arg-type]  # checked above


def _number(text: str | int, dims: dict[str, int], binding: dict[str, str], where: str) -> int:
    try:
        return evaluate(text, dims, binding)
    except ExpressionError as exc:
        raise ValueError(f"{where}: {exc}") from None
