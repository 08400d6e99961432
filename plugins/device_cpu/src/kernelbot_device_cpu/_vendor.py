"""Controller side: one device, always there when torch is."""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from kernelbot_core import Availability, DeviceInfo, DeviceVendor, Peaks


class CpuVendor(DeviceVendor):
    """``--device cpu``."""

    name = "cpu"
    prefix = "cpu"
    judge = "kernelbot_device_cpu._judge:CpuJudge"
    worker = "kernelbot_device_cpu._worker:CpuWorker"

    def available(self) -> Availability:
        if importlib.util.find_spec("torch") is None:
            return Availability(ok=False, why="torch is not installed", fix="pip install 'kernelbot[torch]'")
        return Availability(ok=True)

    def devices(self) -> Sequence[DeviceInfo]:
        memory = psutil.virtual_memory().total
        return [DeviceInfo(id="cpu", kind="cpu", index=0, label="cpu", name=processor(), memory=memory)]

    def target(self, device: DeviceInfo) -> str:  # noqa: ARG002 - there is one only
        return "cpu"

    def peaks(self, device: DeviceInfo) -> Peaks:  # noqa: ARG002 - measured by the judge instead
        return Peaks(source="no datasheet for processors; the copy peak is measured in the run")

    def sample(self, device: DeviceInfo) -> dict[str, Any]:  # noqa: ARG002 - there is one processor
        frequency = psutil.cpu_freq()
        return {"load_1min": psutil.getloadavg()[0], "clock_mhz": frequency.current if frequency else None}

    def visible_env(self, device: DeviceInfo) -> dict[str, str]:  # noqa: ARG002 - there is one processor
        # Idle OpenMP threads of a worker must not spin on the core on which the judge takes its copy: on two cores
        # that put 4 ms of scheduling into the window of a 0.5 ms call.
        return {"CUDA_VISIBLE_DEVICES": "", "OMP_WAIT_POLICY": "PASSIVE"}


def processor() -> str:
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
