"""What a schema cannot say about problem.toml. Errors are ValueErrors ``key: what``."""

from __future__ import annotations

from collections import Counter

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Elementwise, ProblemFile

RESERVED = {"stream", "solve"}


def check_file(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> None:
    """Raise ValueError at the first thing that does not fit."""
    _names(file)
    _tensor_dtypes(file, bindings)
    if isinstance(file.tolerance, Elementwise):
        for dtype in file.tolerance.eps:
            if dtype not in DTYPES:
                raise ValueError(f"tolerance.eps.{dtype}: unknown dtype (known: {', '.join(DTYPES)})")
    shown = file.ranking.dtype
    if shown is not None and shown not in bindings:
        raise ValueError(f"ranking.dtype: {shown!r} is not in grid.dtypes ({', '.join(bindings)})")


def _names(file: ProblemFile) -> None:
    names = Counter(file.signature.arguments)
    for name, count in names.items():
        if count > 1:
            raise ValueError(f"signature: two arguments are called {name!r}")
        if name in RESERVED:
            raise ValueError(f"signature: the name {name!r} is reserved")
    for dim, count in Counter(file.signature.dims).items():
        if count > 1:
            raise ValueError(f"signature.dims: {dim!r} is there twice")


def _tensor_dtypes(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> None:
    for tensor in file.signature.tensors:
        if tensor.dtype in DTYPES:
            continue
        for label, bound in bindings.items():
            if tensor.dtype not in bound:
                where = f"signature.{tensor.name}.dtype"
                raise ValueError(f"{where}: {tensor.dtype!r} is neither a dtype nor bound by grid.dtypes.{label}")
