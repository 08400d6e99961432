"""A built shared object as a Python callable."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from kernelbot_core import Signature, Solve

_SCALARS: dict[str, Any] = {
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "fp32": ctypes.c_float,
    "fp64": ctypes.c_double,
}
LEGACY_DEFAULT_STREAM = None
"""Stream 0, where the judge's gate is."""


def load_library(path: Path, signature: Signature) -> Solve:
    """``solve(*tensors, *scalars)`` of a shared object, on the legacy default stream.

    The returned function enqueues and does not wait. It raises RuntimeError with CUDA's own words when a launch was
    refused.

    :raises OSError: The file cannot be loaded, or a library that it needs is missing.
    """
    library = ctypes.CDLL(str(path))
    function, last_error = library.solve, library.kernelbot_last_error
    tensors = len(signature.tensors)
    scalars = [_SCALARS[scalar.dtype] for scalar in signature.scalars]
    pointers = [ctypes.c_void_p] * tensors
    function.argtypes = [*pointers, *scalars, ctypes.c_void_p]
    function.restype = None
    last_error.restype = ctypes.c_char_p

    def solve(*arguments: Any) -> None:
        addresses = [tensor.data_ptr() for tensor in arguments[:tensors]]
        function(*addresses, *arguments[tensors:], LEGACY_DEFAULT_STREAM)
        message = last_error()
        if message:
            raise RuntimeError(f"CUDA error left by solve(): {message.decode(errors='replace')}")

    return solve
