"""Datasheet peaks by board label: dense (no structured sparsity), boost clock, the fastest unit of each dtype."""

from __future__ import annotations

from typing import NamedTuple

from kernelbot_core import Peaks

_T = 1e12


class _Row(NamedTuple):
    """One device; FLOP/s in units of 1e12, bandwidth in 1e9 bytes/s. None where the chip has no unit of the kind."""

    source: str
    bandwidth: float
    fp64: float
    fp32: float
    fp16: float
    bf16: float | None = None
    fp8: float | None = None
    int8: float | None = None


# fp64 and fp16 are tensor-core rates where the chip has them; fp32 is not TF32, whose products are no fp32.
_HOPPER_SXM = (67, 67, 989.4, 989.4, 1978.9, 1978.9)
_HOPPER_NVL = (60, 60, 835.5, 835.5, 1670.5, 1670.5)
_AMPERE = (19.5, 19.5, 312, 312, None, 624)
_ROWS = {
    "B200": _Row("NVIDIA DGX B200 datasheet, an eighth", 8000, 37, 75, 2250, 2250, 4500, 4500),
    "GB200": _Row("NVIDIA GB200 NVL72 datasheet, a 72nd", 8000, 40, 80, 2500, 2500, 5000, 5000),
    "H200": _Row("NVIDIA H200 datasheet, SXM", 4800, *_HOPPER_SXM),
    "H200-NVL": _Row("NVIDIA H200 datasheet, NVL", 4800, *_HOPPER_NVL),
    "H100-SXM": _Row("NVIDIA H100 datasheet, SXM", 3350, *_HOPPER_SXM),
    "H100-NVL": _Row("NVIDIA H100 datasheet, NVL", 3900, *_HOPPER_NVL),
    "H100-PCIe": _Row("NVIDIA H100 datasheet, PCIe", 2000, 51, 51, 756, 756, 1513, 1513),
    "A100-SXM-80GB": _Row("NVIDIA A100 datasheet, 80GB SXM", 2039, *_AMPERE),
    "A100-SXM-40GB": _Row("NVIDIA A100 datasheet, 40GB SXM", 1555, *_AMPERE),
    "A100-PCIe-80GB": _Row("NVIDIA A100 datasheet, 80GB PCIe", 1935, *_AMPERE),
    "A100-PCIe-40GB": _Row("NVIDIA A100 datasheet, 40GB PCIe", 1555, *_AMPERE),
    "L40S": _Row("NVIDIA L40S datasheet", 864, 1.4, 91.6, 362, 362, 733, 733),
    "L4": _Row("NVIDIA L4 datasheet", 300, 0.47, 30.3, 121, 121, 242.5, 242.5),
    "A10": _Row("NVIDIA A10 datasheet", 600, 0.49, 31.2, 125, 125, None, 250),
    "T4": _Row("NVIDIA T4 datasheet", 320, 0.25, 8.1, 65, None, None, 130),
    "V100-SXM2-16GB": _Row("NVIDIA V100 datasheet, SXM2", 900, 7.8, 15.7, 125),
    "V100-SXM2-32GB": _Row("NVIDIA V100 datasheet, SXM2", 900, 7.8, 15.7, 125),
    "RTX-5090": _Row("NVIDIA RTX Blackwell architecture paper", 1792, 1.64, 104.8, 419, 209.5, 838, 838),
    "RTX-4090": _Row("NVIDIA Ada architecture paper", 1008, 1.29, 82.6, 330.3, 165.2, 660.6, 660.6),
    "RTX-3090": _Row("NVIDIA Ampere GA102 architecture paper", 936, 0.56, 35.6, 142, 71, None, 284),
}
UNKNOWN = Peaks(source="this device is not in the table; the copy peak is measured in the run")


def peaks_of(label: str) -> Peaks:
    """Peaks of the device with this board label; :data:`UNKNOWN` when nobody has entered it."""
    row = _ROWS.get(label)
    if row is None:
        return UNKNOWN
    by_dtype = {
        "fp64": row.fp64, "fp32": row.fp32, "fp16": row.fp16, "bf16": row.bf16,
        "fp8_e4m3": row.fp8, "fp8_e5m2": row.fp8, "int8": row.int8,
    }  # fmt: skip
    return Peaks(
        bytes_per_s=row.bandwidth * 1e9,
        flops_per_s={dtype: rate * _T for dtype, rate in by_dtype.items() if rate is not None},
        source=f"{row.source}; dense, boost clock",
    )
