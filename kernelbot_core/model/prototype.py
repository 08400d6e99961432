"""The signature of a problem as a participant writes it: one line of Python, one line of C."""

from __future__ import annotations

from collections.abc import Mapping

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Signature


def python_prototype(signature: Signature, *, returns: bool = False) -> str:
    """``solve(a, b, out, n)``; with ``returns``, the form that takes no outputs and returns them."""
    outputs = set() if not returns else {tensor.name for tensor in signature.outputs}
    return f"solve({', '.join(name for name in signature.arguments if name not in outputs)})"


def c_type(dtype: str, binding: Mapping[str, str] | None = None) -> str:
    """C type of a dtype; a dtype variable that ``binding`` does not bind is its macro, ``KB_T``."""
    name = (binding or {}).get(dtype, dtype)
    return DTYPES[name].c if name in DTYPES else f"KB_{name}"


def c_parameters(signature: Signature, binding: Mapping[str, str] | None = None) -> list[str]:
    """``const float* a`` ... in the order of the call; ``cudaStream_t stream`` comes last."""
    inputs = [f"const {c_type(tensor.dtype, binding)}* {tensor.name}" for tensor in signature.inputs]
    outputs = [f"{c_type(tensor.dtype, binding)}* {tensor.name}" for tensor in signature.outputs]
    scalars = [f"{c_type(scalar.dtype)} {scalar.name}" for scalar in signature.scalars]
    return [*inputs, *outputs, *scalars, "cudaStream_t stream"]


def c_prototype(signature: Signature, binding: Mapping[str, str] | None = None) -> str:
    """``extern "C" void solve(...)``, without the semicolon.

    :param binding: Dtype of each dtype variable; None leaves the macros ``KB_T`` in place, for all dtypes at once.
    """
    return f'extern "C" void solve({", ".join(c_parameters(signature, binding))})'
