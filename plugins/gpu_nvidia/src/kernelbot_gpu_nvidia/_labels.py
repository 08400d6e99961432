"""Board labels and datasheet peaks by the driver's name of the device."""

from __future__ import annotations

import re

from kernelbot_core import Peaks

_DROP = re.compile(r"\b(NVIDIA|GeForce|Tesla|Graphics|GPU)\b|\(R\)", re.IGNORECASE)
_NAMED = (
    (re.compile(r"H200 NVL"), "H200-NVL"),
    (re.compile(r"H200"), "H200"),
    (re.compile(r"H100 NVL"), "H100-NVL"),
    (re.compile(r"H100.*PCIe"), "H100-PCIe"),
    (re.compile(r"H100"), "H100-SXM"),
    (re.compile(r"A100.*PCIe.*80"), "A100-PCIe-80GB"),
    (re.compile(r"A100.*PCI"), "A100-PCIe-40GB"),
    (re.compile(r"A100.*80"), "A100-SXM-80GB"),
    (re.compile(r"A100"), "A100-SXM-40GB"),
    (re.compile(r"\bT4\b"), "T4"),
)
"""First match counts; form factors of one chip have clocks and memories of their own and never share a board."""

T, G = 1e12, 1e9
_PEAKS: dict[str, tuple[float, dict[str, float]]] = {
    "H200": (4800 * G, {"fp64": 67 * T, "fp32": 67 * T, "fp16": 989 * T, "bf16": 989 * T, "fp8_e4m3": 1979 * T}),
    "H100-SXM": (3350 * G, {"fp64": 67 * T, "fp32": 67 * T, "fp16": 989 * T, "bf16": 989 * T, "fp8_e4m3": 1979 * T}),
    "H100-PCIe": (2000 * G, {"fp64": 51 * T, "fp32": 51 * T, "fp16": 756 * T, "bf16": 756 * T, "fp8_e4m3": 1513 * T}),
    "A100-SXM-80GB": (2039 * G, {"fp64": 19.5 * T, "fp32": 19.5 * T, "fp16": 312 * T, "bf16": 312 * T}),
    "A100-SXM-40GB": (1555 * G, {"fp64": 19.5 * T, "fp32": 19.5 * T, "fp16": 312 * T, "bf16": 312 * T}),
    "A100-PCIe-80GB": (1935 * G, {"fp64": 19.5 * T, "fp32": 19.5 * T, "fp16": 312 * T, "bf16": 312 * T}),
    "RTX-4090": (1008 * G, {"fp32": 82.6 * T, "fp16": 165.2 * T, "bf16": 165.2 * T}),
    "T4": (320 * G, {"fp32": 8.1 * T, "fp16": 65 * T}),
}


def label_of(name: str) -> str:
    """Board label of a device."""
    for pattern, label in _NAMED:
        if pattern.search(name):
            return label
    return "-".join(_DROP.sub(" ", name).split()) or "unknown"


def peaks_of(label: str) -> Peaks:
    """Dense datasheet peaks, FLOP/s and bytes/s; empty when the table does not know the device."""
    bandwidth, flops = _PEAKS.get(label, (None, {}))
    source = "NVIDIA datasheet, dense, boost clock" if bandwidth else "not in the table"
    return Peaks(bytes_per_s=bandwidth, flops_per_s=flops, source=source)


def target_of(major: int, minor: int) -> str:
    """``sm_90a``: from Hopper on the suffix gives wgmma, TMA multicast and tcgen05."""
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"
