"""Whether a trustworthy measurement can start: nobody else on the GPU, one context per process, the whole chip."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import psutil

from kernelbot_core import Availability, DeviceInfo
from kernelbot_gpu_nvidia._nvml import asked, session

SETTLE_S = 3.0
MPS_FOLDER = "/tmp/nvidia-mps"
"""NVIDIA's own default."""


def check(device: DeviceInfo) -> Availability:
    """The first thing that stands in the way, in one line, or ``ok``."""
    if mps_runs():
        return _no(
            "MPS is running: one client's fault ends all of them, the judge too", "echo quit | nvidia-cuda-mps-control"
        )
    with session() as nvml:
        return _by_driver(nvml, device)


def mps_runs() -> bool:
    """Whether the control daemon of MPS is up; a socket that it left behind does not count."""
    folder = Path(os.environ.get("CUDA_MPS_PIPE_DIRECTORY", MPS_FOLDER))
    if not (folder / "control").exists():
        return False
    try:
        pid = int((folder / "nvidia-cuda-mps-control.pid").read_text())
    except (OSError, ValueError):
        return True  # nothing says that it has ended
    return Path(f"/proc/{pid}").exists()


def _by_driver(nvml: Any, device: DeviceInfo) -> Availability:
    handle = nvml.nvmlDeviceGetHandleByUUID(device.uuid)
    number = device.uuid or device.index
    mode = asked(nvml, lambda: nvml.nvmlDeviceGetComputeMode(handle))
    if mode == nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS:
        return _no(
            f"{device.id} is in compute mode EXCLUSIVE_PROCESS; the judge and two workers need a context each",
            f"nvidia-smi -i {number} -c DEFAULT",
        )
    if mode == nvml.NVML_COMPUTEMODE_PROHIBITED:
        return _no(f"{device.id} is in compute mode PROHIBITED", f"nvidia-smi -i {number} -c DEFAULT")
    partitioned = asked(nvml, lambda: nvml.nvmlDeviceGetMigMode(handle)[0])
    if partitioned:
        return _no(
            f"{device.id} is split by MIG; a slice is not the device of its label", f"nvidia-smi -i {number} -mig 0"
        )
    pids = _others(nvml, handle)
    if pids:
        return _no(f"other processes compute on {device.id}: pid {', '.join(map(str, pids))}", "wait, or end them")
    return Availability(ok=True)


def _others(nvml: Any, handle: Any) -> list[int]:
    """Who else computes. The driver lists processes for a while after their end, those of the last job for example."""
    ends = time.monotonic() + SETTLE_S
    while True:
        listed = asked(nvml, lambda: nvml.nvmlDeviceGetComputeRunningProcesses(handle)) or []
        pids = sorted({int(process.pid) for process in listed} - ours())
        if not pids or time.monotonic() > ends:
            return pids
        time.sleep(SETTLE_S / 50)


def ours() -> set[int]:
    """The process itself and those above it: who has started the job, a notebook or a test, waits while it runs."""
    here = psutil.Process()
    return {here.pid, *(above.pid for above in here.parents())}


def _no(why: str, fix: str) -> Availability:
    return Availability(ok=False, why=why, fix=fix)
