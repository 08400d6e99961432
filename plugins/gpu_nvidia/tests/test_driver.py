"""Errors in one line, and which number a device has in this process. Needs the bindings, no GPU."""

from __future__ import annotations

import traceback

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("cuda.bindings", reason="the driver's bindings are not installed")

import torch

from kernelbot_gpu_nvidia._driver import CudaError, explained, ordinal

TORCH = (
    "CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress' in the documents.\n"
    "CUDA kernel errors might be asynchronously reported at some other API call.\nFor debugging consider passing ...\n"
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (TORCH, "inputs are read-only"),
        ("Triton Error [CUDA]: an illegal memory access was encountered", "inputs are read-only"),
        ("cudaErrorIllegalAddress: an illegal memory access was encountered", "inputs are read-only"),
        ("CUDA error: device-side assert triggered\nmore", "the failed assertion is in the output"),
        ("CUDA driver: misaligned address (CUDA_ERROR_MISALIGNED_ADDRESS)", "misaligned"),
    ],
)
def test_a_failed_kernel_is_one_line(said, words):
    better = explained(RuntimeError(said))
    assert type(better) is RuntimeError
    assert str(better).startswith("CUDA")
    assert words in str(better)
    assert "\n" not in str(better)


@pytest.mark.parametrize(
    "error",
    [ValueError("CUDA error: mine"), RuntimeError("my own\nsecond line"), SystemExit(1), RuntimeError(""),
     torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")],
)  # fmt: skip
def test_other_errors_pass_as_they_are(error):
    assert explained(error) is error


def test_the_participants_line_is_kept():
    try:
        raise CudaError("CUDA driver: an illegal memory access was encountered")
    except CudaError as exc:
        better = explained(exc)
    assert "test_driver.py" in "".join(traceback.format_tb(better.__traceback__))


@pytest.mark.parametrize(
    ("visible", "number"), [(None, 2), ("", 2), ("GPU-1", 0), ("3", 0), ("0,1,2", 2), ("GPU-1,", 0)]
)
def test_number_in_this_process(monkeypatch, visible, number):
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    if visible is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert ordinal(2) == number
