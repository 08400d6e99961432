"""Integer expressions over the dimensions of a problem: ``+ - * // ( ) min max cdiv sizeof(T)`` and nothing else."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from kernelbot_core.model.dtypes import DTYPES

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "cdiv": lambda a, b: -(-a // b)}


LONGEST = 80
"""Characters of an expression that an error shows."""


class ExpressionError(ValueError):
    """The text is not an expression of this small language, or names something unknown."""


def evaluate(text: str | int, dims: Mapping[str, int], dtypes: Mapping[str, str] | None = None) -> int:
    """Evaluate an expression exactly, over integers.

    :param text: The expression, or a plain integer.
    :param dims: Value of each dimension.
    :param dtypes: Dtype bound to each dtype variable, for ``sizeof(T)`` (bytes).
    :raises ExpressionError: With one line that says which part is not understood.
    """
    if isinstance(text, int):
        return text
    try:
        tree = ast.parse(text, mode="eval").body
        return _walk(tree, dims, dtypes or {})
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        if isinstance(exc, ExpressionError):
            raise
        raise ExpressionError(f"{_shown(text)} is not an expression") from None
    except ZeroDivisionError:
        raise ExpressionError(f"{_shown(text)} divides by zero") from None


def _walk(node: ast.expr, dims: Mapping[str, int], dtypes: Mapping[str, str]) -> int:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in dims:
            return dims[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_walk(left, dims, dtypes), _walk(right, dims, dtypes))
        case ast.Call(func=ast.Name(id="sizeof"), args=[ast.Name(id=name)], keywords=[]):
            dtype = dtypes.get(name, name)
            if dtype in DTYPES:
                return DTYPES[dtype].size
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in _FUNCTIONS:
            values = [_walk(arg, dims, dtypes) for arg in args]
            if name != "cdiv" or len(values) == 2:
                return _FUNCTIONS[name](*values) if len(values) > 1 else values[0]
    raise ExpressionError(
        f"{_shown(ast.unparse(node))} is not a dimension, an integer or + - * // ( ) min max cdiv sizeof"
        f" (dimensions here: {', '.join(dims) or 'none'})"
    )


def _shown(text: str) -> str:
    said = repr(text)
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
