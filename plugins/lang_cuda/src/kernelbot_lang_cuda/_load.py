"""A built shared object as a Python callable."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kernelbot_core import Signature, Solve
from kernelbot_lang_cuda._launch import Geometry

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
    function, refused = library.solve, _refusal(library)
    tensors = len(signature.tensors)
    scalars = [_SCALARS[scalar.dtype] for scalar in signature.scalars]
    pointers = [ctypes.c_void_p] * tensors
    function.argtypes = [*pointers, *scalars, ctypes.c_void_p]
    function.restype = None

    def solve(*arguments: Any) -> None:
        addresses = [tensor.data_ptr() for tensor in arguments[:tensors]]
        function(*addresses, *arguments[tensors:], LEGACY_DEFAULT_STREAM)
        refused("CUDA error left by solve()")

    return solve


def load_launchers(
    path: Path, arguments: Sequence[Sequence[str]], signature: Signature
) -> list[Callable[[Geometry, Sequence[Any]], None]]:
    """One launcher for each launch line of a file of kernels that nvcc has built, on the legacy default stream.

    :param arguments: Names of the signature that each kernel is given.
    """
    library = ctypes.CDLL(str(path))
    refused = _refusal(library)
    kinds = {scalar.name: _SCALARS[scalar.dtype] for scalar in signature.scalars}

    def launcher(number: int, given: Sequence[str]) -> Callable[[Geometry, Sequence[Any]], None]:
        function = library[f"kernelbot_launch_{number}"]
        wanted = [kinds.get(name, ctypes.c_void_p) for name in given]
        function.argtypes = [*wanted, *[ctypes.c_uint32] * 7, ctypes.c_void_p]
        function.restype = None

        def launch(geometry: Geometry, values: Sequence[Any]) -> None:
            plain = [v.data_ptr() if kind is ctypes.c_void_p else v for v, kind in zip(values, wanted, strict=True)]
            function(*plain, *geometry.grid, *geometry.block, geometry.shared, LEGACY_DEFAULT_STREAM)
            refused(f"CUDA: launch with {geometry}")

        return launch

    return [launcher(number, given) for number, given in enumerate(arguments)]


def _refusal(library: ctypes.CDLL) -> Callable[[str], None]:
    """Raises RuntimeError with CUDA's own words when a launch of this library was refused."""
    last_error = library.kernelbot_last_error
    last_error.restype = ctypes.c_char_p

    def refused(what: str) -> None:
        message = last_error()
        if message:
            raise RuntimeError(f"{what}: {message.decode(errors='replace')}")

    return refused
