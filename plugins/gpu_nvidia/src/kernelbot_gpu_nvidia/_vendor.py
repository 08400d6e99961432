"""Controller side: no torch, no CUDA context."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from typing import Any

from kernelbot_core import Availability, DeviceInfo, DeviceVendor, Peaks
from kernelbot_gpu_nvidia import _free, _nvml
from kernelbot_gpu_nvidia._labels import target_of
from kernelbot_gpu_nvidia._peaks import peaks_of

NEEDS = {"pynvml": "nvidia", "cuda.bindings": "nvidia", "torch": "torch"}
"""Module -> extra of kernelbot that brings it."""


class NvidiaVendor(DeviceVendor):
    """``--device cuda:N``, numbered as CUDA numbers them for this process with CUDA_DEVICE_ORDER=PCI_BUS_ID."""

    name = "nvidia"
    prefix = "cuda"
    own_core = True
    judge = "kernelbot_gpu_nvidia._judge:NvidiaJudge"
    worker = "kernelbot_gpu_nvidia._worker:NvidiaWorker"

    def available(self) -> Availability:
        if not _nvml.driver_here():
            return Availability(
                ok=False, why="no NVIDIA driver on this machine", fix="install one; `nvidia-smi` must list the GPU"
            )
        return _missing() or _seen()

    def devices(self) -> Sequence[DeviceInfo]:
        if not _nvml.driver_here() or not _importable("pynvml"):
            return []
        return _found()

    def target(self, device: DeviceInfo) -> str:
        return target_of(*_nvml.capability(device))

    def peaks(self, device: DeviceInfo) -> Peaks:
        return peaks_of(device.label)

    def sample(self, device: DeviceInfo) -> dict[str, Any]:
        return _nvml.sample(device)

    def visible_env(self, device: DeviceInfo) -> dict[str, str]:
        """One device only, which is therefore number 0 in that process: judge and worker go by ``_driver.ordinal``."""
        return {"CUDA_VISIBLE_DEVICES": device.uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}

    def device_nodes(self, device: DeviceInfo) -> Sequence[str]:
        return _nvml.device_nodes(device)

    def place(self, device: DeviceInfo) -> tuple[int, int]:
        return _nvml.place(device) or super().place(device)

    def check_free(self, device: DeviceInfo) -> Availability:
        return _free.check(device)


def _missing() -> Availability | None:
    for module, extra in NEEDS.items():
        if not _importable(module):
            return Availability(ok=False, why=f"{module} is not installed", fix=f"pip install 'kernelbot[{extra}]'")
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # built from source: it may well have CUDA
        version = importlib.metadata.version("torch")
        if version.endswith("+cpu"):
            return Availability(
                ok=False, why=f"torch {version} is built without CUDA", fix="install a CUDA build: see pytorch.org"
            )
    return None


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it
        return False


def _found() -> list[DeviceInfo]:
    import pynvml

    try:
        return _nvml.devices()
    except pynvml.NVMLError:
        return []


def _seen() -> Availability:
    import pynvml

    try:
        found = _nvml.devices()
    except pynvml.NVMLError as exc:
        return Availability(ok=False, why=f"the NVIDIA driver does not answer: {exc}", fix="`nvidia-smi` must work")
    if not found:
        return Availability(ok=False, why="no NVIDIA GPU is visible", fix="check `nvidia-smi` and CUDA_VISIBLE_DEVICES")
    return Availability(ok=True)
