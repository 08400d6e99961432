"""A driver's management library that says what a test tells it to."""
# ruff: noqa: N802 - the names are the library's

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import pytest

from kernelbot_gpu_nvidia import _free, _nvml, _vendor


class NVMLError(Exception):
    """What the real library raises."""


@dataclass
class Gpu:
    """One GPU; None means that the driver does not know."""

    name: str = "NVIDIA H200"
    uuid: str = "GPU-0000"
    memory: int = 143771 << 20
    capability: tuple[int, int] = (9, 0)
    mode: int = 0
    mig: int | None = None
    pids: list[int] = field(default_factory=list)
    reasons: int | None = 0x4 | 0x1
    power: int | None = 512_000


class FakeNvml(ModuleType):
    """Stands in for ``pynvml``; ``gpus`` is what the machine has."""

    NVMLError = NVMLError
    NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU = 1, 2, 0
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC = 1, 0
    NVML_COMPUTEMODE_PROHIBITED, NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 2, 3

    def __init__(self) -> None:
        super().__init__("pynvml")
        self.gpus: list[Gpu] = [Gpu()]
        self.broken = ""
        self.ordered = True
        self.open = 0

    def nvmlInit(self):
        if self.broken:
            raise NVMLError(self.broken)
        self.open += 1

    def nvmlShutdown(self):
        self.open -= 1

    def nvmlDeviceGetCount(self):
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, index):
        return self.gpus[index]

    def nvmlDeviceGetHandleByUUID(self, uuid):
        return _known(next((gpu for gpu in self.gpus if gpu.uuid == uuid), None))

    def nvmlDeviceGetIndex(self, gpu):
        return _known(self.gpus.index(gpu) if self.ordered else None)

    def nvmlDeviceGetName(self, gpu):
        return gpu.name.encode()  # as older bindings do

    def nvmlDeviceGetUUID(self, gpu):
        return gpu.uuid

    def nvmlDeviceGetMemoryInfo(self, gpu):
        return SimpleNamespace(total=gpu.memory, used=1 << 20)

    def nvmlDeviceGetCudaComputeCapability(self, gpu):
        return gpu.capability

    def nvmlSystemGetDriverVersion(self):
        return "580.1"

    def nvmlDeviceGetClockInfo(self, gpu, clock):
        return {1: 1980, 2: 3201}[clock]

    def nvmlDeviceGetTemperature(self, gpu, sensor):
        return 41

    def nvmlDeviceGetPowerUsage(self, gpu):
        return _known(gpu.power)

    def nvmlDeviceGetCurrentClocksEventReasons(self, gpu):
        return _known(gpu.reasons)

    def nvmlDeviceGetEccMode(self, gpu):
        return [1, 1]

    def nvmlDeviceGetTotalEccErrors(self, gpu, kind, counter):
        return 0

    def nvmlDeviceGetComputeMode(self, gpu):
        return gpu.mode

    def nvmlDeviceGetMigMode(self, gpu):
        return [_known(gpu.mig), 0]

    def nvmlDeviceGetComputeRunningProcesses(self, gpu):
        return [SimpleNamespace(pid=pid) for pid in gpu.pids]


def _known(value):
    if value is None:
        raise NVMLError("Not Supported")
    return value


@pytest.fixture
def nvml(monkeypatch, tmp_path):
    """A machine with a driver, all packages and one H200; the test changes what it wants."""
    fake = FakeNvml()
    monkeypatch.setitem(sys.modules, "pynvml", fake)
    monkeypatch.setattr(_nvml, "driver_here", lambda: True)
    monkeypatch.setattr(_vendor, "_importable", lambda module: True)
    monkeypatch.setattr(_vendor.importlib.metadata, "version", lambda name: "2.11.0+cu130")
    monkeypatch.setattr(_free, "MPS_FOLDER", str(tmp_path / "mps"))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("CUDA_MPS_PIPE_DIRECTORY", raising=False)
    yield fake
    assert fake.open == 0, "the library was left open"
