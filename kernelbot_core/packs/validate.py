"""What a schema cannot say about problem.toml. Errors are ValueErrors ``key: what``."""

from __future__ import annotations

import keyword
import math
import re
from collections import Counter

import msgspec

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Custom, Elementwise, ProblemFile

RESERVED = {"stream", "solve"}
"""What C and every template already call something."""
FUNCTIONS = {"inputs", "reference", "magnitude", "baseline", "check"}
"""Functions of problem.py with a meaning of their own."""
MOST = {"build_s": 3600, "call_s": 600, "job_s": 7200, "memory_gib": 1024}
"""Seconds and GiB: no pack keeps a device, or a machine, from all the others for longer."""
CPP = {
    "alignas", "alignof", "asm", "auto", "bool", "case", "catch", "char", "class", "const", "constexpr", "decltype",
    "default", "delete", "do", "double", "enum", "explicit", "export", "extern", "float", "friend", "goto", "inline",
    "int", "long", "mutable", "namespace", "new", "noexcept", "operator", "private", "protected", "public",
    "register", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw", "typedef",
    "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
}  # fmt: skip
"""Words that C++ does not take as the name of an argument."""


def check_file(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> None:
    """Raise ValueError at the first thing that does not fit."""
    _names(file)
    _dtypes(file, bindings)
    _scalars(file)
    _tolerance(file, bindings)
    shown = file.ranking.dtype
    if shown is not None and shown not in bindings:
        raise ValueError(f"ranking.dtype: {shown!r} is not in grid.dtypes ({', '.join(bindings)})")
    for name in file.properties:
        if name in FUNCTIONS:
            raise ValueError(f"properties.{name}: the name is taken by a function of problem.py")
    for name, value in msgspec.structs.asdict(file.limits).items():
        if not math.isfinite(value):
            raise ValueError(f"limits.{name}: {value} is no limit")
        if value > MOST[name]:
            raise ValueError(f"limits.{name}: {value:g} is more than a pack may ask for ({MOST[name]})")


def _names(file: ProblemFile) -> None:
    for where, names in (("signature", file.signature.arguments), ("signature.dims", file.signature.dims)):
        for name, count in Counter(names).items():
            what = "argument" if where == "signature" else "dimension"
            if count > 1:
                raise ValueError(f"{where}: two {what}s are called {name!r}")
            if name in RESERVED or name in CPP or keyword.iskeyword(name):
                raise ValueError(f"{where}: the name {name!r} is reserved")
    for tensor in file.signature.outputs:
        if tensor.fixed:
            raise ValueError(f"signature.{tensor.name}.fixed: only an input can be fixed")


def _dtypes(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> None:
    for tensor in file.signature.tensors:
        if tensor.dtype in DTYPES:
            continue
        for label, bound in bindings.items():
            if tensor.dtype not in bound:
                where = f"signature.{tensor.name}.dtype"
                raise ValueError(f"{where}: {tensor.dtype!r} is neither a dtype nor bound by grid.dtypes.{label}")


def _scalars(file: ProblemFile) -> None:
    for scalar in file.signature.scalars:
        if isinstance(scalar.value, float) and scalar.dtype.startswith("int"):
            where = f"signature.{scalar.name}.value"
            raise ValueError(f'{where}: an {scalar.dtype} is an expression in quotes, such as "{scalar.value:g}"')


def _tolerance(file: ProblemFile, bindings: dict[str, dict[str, str]]) -> None:
    if not isinstance(file.tolerance, Elementwise):
        return
    count = len(file.signature.inputs)
    made = {name for binding in bindings.values() for name in file.signature.dtypes(binding)[count:]}
    for dtype in file.tolerance.eps:
        if dtype not in DTYPES:
            raise ValueError(f"tolerance.eps.{dtype}: unknown dtype (known: {', '.join(DTYPES)})")
        if dtype not in made:
            raise ValueError(f"tolerance.eps.{dtype}: no output has this dtype (they have {', '.join(sorted(made))})")


def check_separable(file: ProblemFile) -> None:
    """Raise ValueError where ``signature.separable`` does not fit the shapes, which are known to be sound."""
    signature, dim = file.signature, file.signature.separable
    if dim is None:
        return
    if dim not in signature.dims:
        raise ValueError(f"signature.separable: {dim!r} is not in signature.dims ({', '.join(signature.dims)})")
    if isinstance(file.tolerance, Custom):
        raise ValueError("signature.separable: the rule check sees whole outputs; leave separable out")  # noqa: TRY004 - the value is wrong, not its type
    for tensor in signature.tensors:
        having = [extent for extent in tensor.shape if re.search(rf"\b{dim}\b", str(extent))]
        if having and tensor.shape[0] == dim and len(having) == 1:
            continue
        if having or tensor in signature.outputs:
            shape = ", ".join(map(str, tensor.shape))
            raise ValueError(f"signature.separable: {tensor.name} is [{shape}]; {dim} must be its first axis only")
