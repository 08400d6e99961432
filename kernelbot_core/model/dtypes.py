"""The dtypes a problem may name: size in bytes, C type and rounding unit of each."""

from __future__ import annotations

from typing import NamedTuple


class DType(NamedTuple):
    """One row of the table."""

    size: int
    """Bytes per element."""
    c: str
    """Type in C++ (CUDA headers for the half types)."""
    torch: str
    """Attribute of ``torch``."""
    unit: float
    """Unit round-off u = 2**-p of a binary format with p significant bits, 0 for integers (IEEE 754, OCP FP8)."""
    tolerance: float
    """Default element-wise epsilon, relative to the scale that the problem states."""


DTYPES: dict[str, DType] = {
    "fp64": DType(8, "double", "float64", 2.0**-53, 1e-12),
    "fp32": DType(4, "float", "float32", 2.0**-24, 1e-5),
    "fp16": DType(2, "__half", "float16", 2.0**-11, 1e-3),
    "bf16": DType(2, "__nv_bfloat16", "bfloat16", 2.0**-8, 1e-2),
    "fp8_e4m3": DType(1, "__nv_fp8_e4m3", "float8_e4m3fn", 2.0**-4, 1.25e-1),
    "fp8_e5m2": DType(1, "__nv_fp8_e5m2", "float8_e5m2", 2.0**-3, 2.5e-1),
    "int64": DType(8, "int64_t", "int64", 0.0, 0.0),
    "int32": DType(4, "int32_t", "int32", 0.0, 0.0),
    "int16": DType(2, "int16_t", "int16", 0.0, 0.0),
    "int8": DType(1, "int8_t", "int8", 0.0, 0.0),
    "uint8": DType(1, "uint8_t", "uint8", 0.0, 0.0),
    "bool": DType(1, "bool", "bool", 0.0, 0.0),
}
