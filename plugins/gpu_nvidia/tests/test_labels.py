"""Board labels, targets and peaks: names as drivers spell them."""

from __future__ import annotations

import re

import pytest

from kernelbot_core import DTYPES
from kernelbot_gpu_nvidia._labels import label_of, target_of
from kernelbot_gpu_nvidia._peaks import _ROWS, UNKNOWN, peaks_of

MIB = 1 << 20
NAMES = [
    ("NVIDIA H200", 143771, "H200"),
    ("NVIDIA H200 NVL", 143771, "H200-NVL"),
    ("NVIDIA GH200 480GB", 97871, "GH200"),
    ("NVIDIA H100 80GB HBM3", 81559, "H100-SXM"),
    ("NVIDIA H100 PCIe", 81559, "H100-PCIe"),
    ("NVIDIA H100 NVL", 95830, "H100-NVL"),
    ("NVIDIA H100 64GB HBM2e", 65247, "H100-SXM-64GB"),
    ("NVIDIA A100-SXM4-40GB", 40960, "A100-SXM-40GB"),
    ("NVIDIA A100-SXM4-80GB", 81920, "A100-SXM-80GB"),
    ("NVIDIA A100 80GB PCIe", 81920, "A100-PCIe-80GB"),
    ("NVIDIA A100-PCIE-40GB", 40960, "A100-PCIe-40GB"),
    ("A100-SXM4", 40960, "A100-SXM-40GB"),
    ("Tesla V100-SXM2-16GB", 16384, "V100-SXM2-16GB"),
    ("Tesla T4", 15360, "T4"),
    ("NVIDIA L4", 23034, "L4"),
    ("NVIDIA L40S", 46068, "L40S"),
    ("NVIDIA B200", 183359, "B200"),
    ("NVIDIA GB200", 189471, "GB200"),
    ("NVIDIA GeForce RTX 4090", 24564, "RTX-4090"),
    ("NVIDIA GeForce RTX 4090 Laptop GPU", 16376, "RTX-4090-Laptop"),
    ("NVIDIA GeForce RTX 3080", 10240, "RTX-3080-10GB"),
    ("NVIDIA GeForce RTX 3080", 12288, "RTX-3080-12GB"),
    ("NVIDIA RTX 6000 Ada Generation", 49140, "RTX-6000-Ada-Generation"),
    ("NVIDIA Graphics Device", 1024, "unknown"),
    ("", 0, "unknown"),
    ("Quadro/T1000 (test)", 4096, "Quadro-T1000-test"),
]


@pytest.mark.parametrize(("name", "mib", "label"), NAMES)
def test_label(name, mib, label):
    assert label_of(name, mib * MIB) == label


def test_labels_name_files_and_can_be_typed():
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", label_of(name, mib * MIB)) for name, mib, _ in NAMES)


@pytest.mark.parametrize(
    ("capability", "target"),
    [((7, 5), "sm_75"), ((8, 0), "sm_80"), ((8, 9), "sm_89"), ((9, 0), "sm_90a"), ((10, 0), "sm_100a"),
     ((10, 3), "sm_103a"), ((12, 0), "sm_120a")],
)  # fmt: skip
def test_target(capability, target):
    assert target_of(*capability) == target


def test_peaks_are_of_dtypes_that_problems_name():
    for label in _ROWS:
        peaks = peaks_of(label)
        assert set(peaks.flops_per_s) <= set(DTYPES)
        assert peaks.source.startswith("NVIDIA")
        assert peaks.bytes_per_s is not None
        assert 2e11 < peaks.bytes_per_s < 1e13, label
        assert all(2e11 < rate < 1e16 for rate in peaks.flops_per_s.values()), label
        assert peaks.flops_per_s["fp32"] <= peaks.flops_per_s["fp16"], label


def test_peaks_of_the_device_that_was_measured():
    """A copy reached 4.3 TB/s and an 8192 x 8192 x 8192 product 797 TFLOP/s there: below the peaks, above half."""
    peaks = peaks_of("H200")
    assert peaks.bytes_per_s == 4.8e12
    assert peaks.flops_per_s["bf16"] == pytest.approx(989.4e12)
    assert 0.5 < 4.3e12 / peaks.bytes_per_s < 1
    assert 0.5 < 797e12 / peaks.flops_per_s["bf16"] < 1


@pytest.mark.parametrize("label", [label for label in _ROWS if label.startswith(("RTX", "V100", "L", "T", "B", "GB"))])
def test_rows_are_keyed_by_what_the_driver_says(label):
    assert label_of(f"NVIDIA {label.replace('RTX-', 'GeForce RTX ')}") == label


def test_no_guess_for_the_unknown():
    assert peaks_of("H300") is UNKNOWN
    assert UNKNOWN.bytes_per_s is None
    assert UNKNOWN.source
