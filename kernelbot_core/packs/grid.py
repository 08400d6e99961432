"""From ``[grid]`` to cells: every size x dtype and what is derived from it. Errors are ValueErrors ``key: what``."""

from __future__ import annotations

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.expression import ExpressionError, evaluate
from kernelbot_core.model.problem import Accumulate, Cell, ProblemFile

OPTIONS: dict[str, type] = {"ranked": bool, "dtypes": list, "devices": list}
DEVICES = ["cpu", "gpu"]
BIGGEST = 2**48


def bindings_of(file: ProblemFile) -> dict[str, dict[str, str]]:
    """Dtype label -> dtype of each variable. ``"fp32"`` is short for ``{name = "fp32", T = "fp32"}``."""
    bindings: dict[str, dict[str, str]] = {}
    for entry in file.grid.dtypes:
        bound = {"name": entry, "T": entry} if isinstance(entry, str) else dict(entry)
        label = bound.pop("name", "")
        if not label or not label.replace("_", "").isalnum():
            raise ValueError(f"grid.dtypes: an entry needs a name of letters, digits and _ (got {label!r})")
        if label in bindings:
            raise ValueError(f"grid.dtypes: {label} is there twice")
        for variable, dtype in bound.items():
            if dtype not in DTYPES:
                raise ValueError(
                    f"grid.dtypes.{label}.{variable}: unknown dtype {dtype!r} (known: {', '.join(DTYPES)})"
                )
        bindings[label] = bound
    return bindings


def cells_of(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> list[Cell]:
    """All cells, sizes in the order of the file and dtypes inside."""
    cells = [
        _cell(file, size, label, bindings[label])
        for size, spec in file.grid.sizes.items()
        for label in _labels(size, spec, bindings)
    ]
    if not any(cell.ranked for cell in cells):
        raise ValueError("grid.sizes: no size is ranked")
    return cells


def _labels(size: str, spec: dict[str, int | bool | list[str]], bindings: dict[str, dict[str, str]]) -> list[str]:
    chosen = spec.get("dtypes", list(bindings))
    assert isinstance(chosen, list)
    for label in chosen:
        if label not in bindings:
            raise ValueError(f"grid.sizes.{size}.dtypes: {label!r} is not in grid.dtypes ({', '.join(bindings)})")
    return chosen


def _cell(file: ProblemFile, size: str, label: str, binding: dict[str, str]) -> Cell:
    spec, dims = file.grid.sizes[size], dims_of(file, size)
    for tensor in file.signature.tensors:
        for extent in tensor.shape:
            if not 1 <= _number(extent, dims, binding, f"signature.{tensor.name}.shape") <= BIGGEST:
                raise ValueError(f"signature.{tensor.name}.shape: {extent!r} is not a positive extent at size {size}")
    for scalar in file.signature.scalars:
        if isinstance(scalar.value, str):
            _number(scalar.value, dims, binding, f"signature.{scalar.name}.value")
    if isinstance(file.tolerance, Accumulate) and _number(file.tolerance.length, dims, binding, "tolerance.length") < 1:
        raise ValueError(f"tolerance.length: {file.tolerance.length!r} is below 1 at size {size}")
    moved = _number(file.work.bytes, dims, binding, "work.bytes")
    flops = _number(file.work.flops, dims, binding, "work.flops")
    if moved <= 0 or flops < 0:
        raise ValueError(f"work: {moved} bytes and {flops} flops at size {size} make no sense")
    devices = spec.get("devices", DEVICES)
    assert isinstance(devices, list)
    return Cell(
        size=size, dtype=label, dims=dims, binding=binding, ranked=bool(spec.get("ranked", True)), devices=devices,
        bytes=moved, flops=flops,
    )  # fmt: skip


def dims_of(file: ProblemFile, size: str) -> dict[str, int]:
    """Dimensions of a size, in the order of the signature."""
    spec = file.grid.sizes[size]
    for key, value in spec.items():
        where = f"grid.sizes.{size}.{key}"
        if key in file.signature.dims:
            if type(value) is not int or not 1 <= value <= BIGGEST:
                raise ValueError(f"{where}: {value!r} is not a positive integer")
        elif key not in OPTIONS:
            known = ", ".join([*file.signature.dims, *OPTIONS])
            raise ValueError(f"{where}: neither a dimension nor an option (known: {known})")
        elif not isinstance(value, OPTIONS[key]):
            raise ValueError(f"{where}: {value!r} is not a {OPTIONS[key].__name__}")
        elif key == "devices" and (not value or not set(value) <= set(DEVICES)):  # type: ignore[arg-type]
            raise ValueError(f"{where}: {value!r} is not a list of {' and '.join(DEVICES)}")
    missing = [dim for dim in file.signature.dims if dim not in spec]
    if missing:
        raise ValueError(f"grid.sizes.{size}: {', '.join(missing)} is missing")
    return {dim: int(spec[dim]) for dim in file.signature.dims}  # type: ignore[arg-type]


def _number(text: str | int, dims: dict[str, int], binding: dict[str, str], where: str) -> int:
    try:
        return evaluate(text, dims, binding)
    except ExpressionError as exc:
        raise ValueError(f"{where}: {exc}") from None
