"""A cubin and its launch lines as a Python callable, through the CUDA driver."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kernelbot_core import Signature
from kernelbot_lang_cuda._launch import Geometry

Launcher = Callable[[Geometry, Sequence[Any]], None]
"""Enqueues one launch: geometry, and the arguments of the kernel as tensors and numbers."""
LEGACY_DEFAULT_STREAM = 0
DEFAULT_SHARED = 48 << 10
"""Dynamic shared memory (bytes) that needs no permission."""
_REALS: dict[str, Any] = {"fp32": ctypes.c_float, "fp64": ctypes.c_double}


def load_cubin(path: Path, names: Sequence[str], arguments: Sequence[Sequence[str]], signature: Signature) -> list[
    Launcher
]:  # fmt: skip
    """One launcher for each launch line, on the legacy default stream.

    :param names: Symbol of each kernel.
    :param arguments: Names of the signature that each kernel is given.
    """
    from cuda.bindings import driver

    module = _checked(driver.cuModuleLoadData(path.read_bytes()))
    kinds = {scalar.name: _REALS.get(scalar.dtype, ctypes.c_int64) for scalar in signature.scalars}
    return [
        _launcher(module, name, [kinds.get(argument, ctypes.c_void_p) for argument in given])
        for name, given in zip(names, arguments, strict=True)
    ]


def _launcher(module: Any, name: str, kinds: list[Any]) -> Launcher:
    from cuda.bindings import driver

    function = _checked(driver.cuModuleGetFunction(module, name.encode()))
    most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    allowed = DEFAULT_SHARED

    def launch(geometry: Geometry, values: Sequence[Any]) -> None:
        nonlocal allowed
        if geometry.shared > allowed:
            _checked(driver.cuFuncSetAttribute(function, most, geometry.shared), f"{geometry}: ")
            allowed = geometry.shared
        plain = [
            value.data_ptr() if kind is ctypes.c_void_p else value for value, kind in zip(values, kinds, strict=True)
        ]
        # Integers go as eight bytes, sign-extended: a kernel that takes fewer reads the low ones.
        parameters = (tuple(plain), tuple(kinds))
        status = driver.cuLaunchKernel(
            function, *geometry.grid, *geometry.block, geometry.shared, LEGACY_DEFAULT_STREAM, parameters, 0
        )
        _checked(status, f"launch with {geometry}: ")

    return launch


def _checked(result: tuple[Any, ...], what: str = "") -> Any:
    """Value of a driver call. Raises RuntimeError with the driver's own words."""
    from cuda.bindings import driver

    status, *values = result
    if status != driver.CUresult.CUDA_SUCCESS:
        words = [driver.cuGetErrorString(status)[1], driver.cuGetErrorName(status)[1]]
        text, name = (word.decode() if word else str(status) for word in words)
        raise RuntimeError(f"CUDA: {what}{text} ({name})")
    return values[0] if values else None
