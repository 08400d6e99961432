"""Launch lines: ``//!kernelbot launch NAME<<<GRID, BLOCK[, SHARED]>>>(ARGUMENTS)``.

GRID and BLOCK are an expression over the dimensions of the problem, or up to three of them in parentheses; SHARED is
the dynamic shared memory in bytes. ARGUMENTS are names of the signature. They are read here and nowhere else; the
expressions are evaluated in the worker, for the shape of each call.
"""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from kernelbot_core import BuildOrder, ExpressionError, Signature, UsageError, evaluate

EXAMPLE = "add<<<cdiv(n, 256), 256>>>(a, b, out, n)"
_LINE = re.compile(r"(?P<kernel>[^<>()]+(?:<.*>)?)<<<(?P<config>.*)>>>\s*\((?P<arguments>[^()]*)\)\s*;?\s*")
_KERNEL = re.compile(r"[A-Za-z_]\w*(::\w+)*\s*(<[\w\s,:<>]*>)?\s*")
AXES = 3
BLOCK_CAP = 1024
"""Threads of a block, on every device so far (CUDA C++ Programming Guide, compute capabilities)."""


class Launch(Struct, frozen=True, kw_only=True):
    """One launch line."""

    kernel: str
    """As the source names it, with template arguments: ``tile<KB_T, 16>``."""
    grid: list[str]
    """Three expressions."""
    block: list[str]
    """Three expressions, threads."""
    shared: str
    """Bytes of dynamic shared memory."""
    arguments: list[str]
    """Names of the signature."""
    line: int
    """In the participant's file, from 1."""


class Geometry(Struct, frozen=True):
    """A launch for one shape."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int

    def __str__(self) -> str:
        return f"grid {self.grid}, block {self.block}, {self.shared} bytes of shared memory"


def read_launches(source: str, stated: tuple[str, ...], order: BuildOrder) -> list[Launch]:
    """Read the launch lines of a file.

    :param stated: Their texts, as the header gives them.
    :raises UsageError: A line that is not understood, with its number.
    """
    lines = source.splitlines()
    launches, after = [], 0
    for text in stated:
        after = next(n for n, line in enumerate(lines[after:], start=after + 1) if line.rstrip().endswith(text))
        try:
            launches.append(_read(text, after, order))
        except ExpressionError as exc:
            raise UsageError(f"line {after}: launch line: {exc}", f"an example: {EXAMPLE}") from None
    return launches


def _read(text: str, line: int, order: BuildOrder) -> Launch:
    found = _LINE.fullmatch(text)
    if found is None or _KERNEL.fullmatch(found["kernel"]) is None:
        raise ExpressionError(f"{text!r} is not NAME<<<GRID, BLOCK[, SHARED]>>>(ARGUMENTS)")
    config = _parts(found["config"])
    if not 2 <= len(config) <= AXES:
        raise ExpressionError(f"<<<{found['config']}>>> needs grid and block, and may have shared memory")
    signature = order.signature
    arguments = [name.strip() for name in found["arguments"].split(",") if name.strip()]
    for name in arguments:
        if name not in signature.arguments:
            raise ExpressionError(f"{name!r} is not an argument of the problem ({', '.join(signature.arguments)})")
    shared = config[2] if len(config) == AXES else ["0"]
    if len(shared) != 1:
        raise ExpressionError("shared memory is one number of bytes")
    launch = Launch(
        kernel=found["kernel"].strip(), grid=_axes(config[0]), block=_axes(config[1]), shared=shared[0],
        arguments=arguments, line=line,
    )  # fmt: skip
    _check(launch, order)
    return launch


def _parts(config: str) -> list[list[str]]:
    """``(a, b), c`` -> ``[[a, b], [c]]``, split by Python's own parser."""
    try:
        tree = ast.parse(f"_({config})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Call) or tree.keywords:
        raise ExpressionError(f"<<<{config}>>> is not a list of expressions")
    return [
        [ast.unparse(one) for one in part.elts] if isinstance(part, ast.Tuple) else [ast.unparse(part)]
        for part in tree.args
    ]


def _axes(part: list[str]) -> list[str]:
    if not 1 <= len(part) <= AXES:
        raise ExpressionError(f"({', '.join(part)}) has {len(part)} axes; grid and block have one to three")
    return part + ["1"] * (AXES - len(part))


def _check(launch: Launch, order: BuildOrder) -> None:
    """Unknown names and impossible constants now, not in the worker."""
    known = dict.fromkeys(known_dims(order.signature), 1 << 10)
    for binding in order.bindings.values():
        for text in [*launch.grid, *launch.block, launch.shared]:
            evaluate(text, known, binding)
        constant = [int(text) for text in launch.block if text.isdigit()]
        threads = constant[0] * constant[1] * constant[2] if len(constant) == AXES else 1
        if not 1 <= threads <= BLOCK_CAP:
            raise ExpressionError(f"a block of {threads} threads; it has 1 to {BLOCK_CAP}")


def known_dims(signature: Signature) -> dict[str, tuple[int, int]]:
    """Dimensions that can be read off the shapes of a call: name -> (place of the tensor, axis)."""
    found: dict[str, tuple[int, int]] = {}
    for place, tensor in enumerate(signature.tensors):
        for axis, extent in enumerate(tensor.shape):
            if extent in signature.dims:
                found.setdefault(str(extent), (place, axis))
    return found


def geometry(launch: Launch, dims: dict[str, int], binding: dict[str, str]) -> Geometry:
    """Evaluate a launch line for one shape.

    :raises ValueError: An extent is not positive, or the block is too large.
    """

    def value(text: str) -> int:
        return evaluate(text, dims, binding)

    result = Geometry(tuple(map(value, launch.grid)), tuple(map(value, launch.block)), value(launch.shared))
    x, y, z = result.block
    if min(*result.grid, *result.block) < 1 or result.shared < 0 or x * y * z > BLOCK_CAP:
        shape = ", ".join(f"{name} = {size}" for name, size in dims.items())
        raise ValueError(f"the launch line of {launch.kernel} gives {result} for {shape}")
    return result
