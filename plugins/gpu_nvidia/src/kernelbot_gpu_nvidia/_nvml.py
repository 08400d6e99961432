"""The driver's management library: devices, readings, and who else computes on a GPU. No CUDA context is made."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from kernelbot_core import DeviceInfo
from kernelbot_gpu_nvidia._labels import label_of

_Answer = TypeVar("_Answer")
THROTTLE = {
    0x2: "application clocks", 0x4: "power cap", 0x8: "hardware slowdown", 0x10: "sync boost",
    0x20: "software thermal", 0x40: "hardware thermal", 0x80: "power brake", 0x100: "display clocks",
}  # fmt: skip
"""Bits of the clock event reasons that mean a lower clock; 0x1 is idleness."""
DRIVER_SIGNS = ("/dev/nvidiactl", "/dev/dxg", "/proc/driver/nvidia/version")
"""Any of these is there when an NVIDIA driver is; /dev/dxg is the one of WSL."""


def driver_here() -> bool:
    """Whether this machine has an NVIDIA driver; looks at a few paths and loads nothing."""
    return any(Path(sign).exists() for sign in DRIVER_SIGNS)


@contextlib.contextmanager
def session() -> Iterator[Any]:
    """The module ``pynvml``, initialised; raises its NVMLError, or ImportError."""
    import pynvml

    pynvml.nvmlInit()
    try:
        yield pynvml
    finally:
        pynvml.nvmlShutdown()


def asked(nvml: Any, question: Callable[[], _Answer]) -> _Answer | None:
    """The answer, or None where this device, driver or binding does not know."""
    try:
        return question()
    except (nvml.NVMLError, AttributeError):
        return None


def devices() -> list[DeviceInfo]:
    """Devices in the order in which CUDA shows them to this process: CUDA_VISIBLE_DEVICES counts."""
    with session() as nvml:
        everything = [_physical(nvml, index) for index in range(nvml.nvmlDeviceGetCount())]
    seen = _visible(everything, os.environ.get("CUDA_VISIBLE_DEVICES"))
    return [_info(place, name, uuid, memory) for place, (name, uuid, memory) in enumerate(seen)]


def sample(device: DeviceInfo) -> dict[str, Any]:
    """Readings of this moment; None where the device has no such sensor."""
    with session() as nvml:
        handle = nvml.nvmlDeviceGetHandleByUUID(device.uuid)

        def read(name: str, *more: Any) -> Any:
            return asked(nvml, lambda: getattr(nvml, name)(handle, *more))

        power, limit = read("nvmlDeviceGetPowerUsage"), read("nvmlDeviceGetEnforcedPowerLimit")
        reasons = read("nvmlDeviceGetCurrentClocksEventReasons")
        if reasons is None:  # its name before driver 535
            reasons = read("nvmlDeviceGetCurrentClocksThrottleReasons")
        mode, memory = read("nvmlDeviceGetEccMode"), read("nvmlDeviceGetMemoryInfo")
        uncorrected = (nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml.NVML_VOLATILE_ECC)
        return {
            "driver": _text(nvml.nvmlSystemGetDriverVersion()),
            "pstate": read("nvmlDeviceGetPerformanceState"),
            "sm_mhz": read("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_SM),
            "sm_mhz_max": read("nvmlDeviceGetMaxClockInfo", nvml.NVML_CLOCK_SM),
            "memory_mhz": read("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_MEM),
            "temperature_c": read("nvmlDeviceGetTemperature", nvml.NVML_TEMPERATURE_GPU),
            "power_w": None if power is None else power / 1000,
            "power_limit_w": None if limit is None else limit / 1000,
            "throttle": None if reasons is None else [name for bit, name in THROTTLE.items() if reasons & bit],
            "ecc": None if mode is None else bool(mode[0]),
            "ecc_uncorrected": read("nvmlDeviceGetTotalEccErrors", *uncorrected) if mode and mode[0] else None,
            "memory_used": None if memory is None else int(memory.used),
        }


def capability(device: DeviceInfo) -> tuple[int, int]:
    """CUDA compute capability."""
    with session() as nvml:
        major, minor = nvml.nvmlDeviceGetCudaComputeCapability(nvml.nvmlDeviceGetHandleByUUID(device.uuid))
        return int(major), int(minor)


def place(device: DeviceInfo) -> tuple[int, int] | None:
    """Its place in the order of the bus, and how many GPUs there are, seen past CUDA_VISIBLE_DEVICES.

    None where the driver does not say. In a container it counts what the container was given.
    """
    with session() as nvml:
        handle = asked(nvml, lambda: nvml.nvmlDeviceGetHandleByUUID(device.uuid))
        index = None if handle is None else asked(nvml, lambda: nvml.nvmlDeviceGetIndex(handle))
        return None if index is None else (int(index), int(nvml.nvmlDeviceGetCount()))


def device_nodes(device: DeviceInfo) -> list[str]:
    """Device files for CUDA on one GPU: control, unified memory (without it cuInit fails with 999), and the GPU's own.

    The number in the last is the driver's minor number, not CUDA's ordinal. On WSL there is one file for all.
    """
    with session() as nvml:
        handle = nvml.nvmlDeviceGetHandleByUUID(device.uuid)
        minor = asked(nvml, lambda: nvml.nvmlDeviceGetMinorNumber(handle))
    own = [] if minor is None else [f"/dev/nvidia{minor}"]
    return [node for node in ("/dev/nvidiactl", "/dev/nvidia-uvm", *own, "/dev/dxg") if Path(node).exists()]


def _physical(nvml: Any, index: int) -> tuple[str, str, int]:
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    memory = asked(nvml, lambda: nvml.nvmlDeviceGetMemoryInfo(handle).total)
    return _text(nvml.nvmlDeviceGetName(handle)), _text(nvml.nvmlDeviceGetUUID(handle)), int(memory or 0)


def _visible(everything: list[tuple[str, str, int]], wanted: str | None) -> list[tuple[str, str, int]]:
    if wanted is None:
        return everything
    seen = []
    for word in (part.strip() for part in wanted.split(",")):
        found = [one for place, one in enumerate(everything) if word == str(place) or _is_uuid(word, one[1])]
        if len(found) != 1:
            break  # CUDA too ignores whatever follows an entry that it does not understand
        seen += found
    return seen


def _is_uuid(word: str, uuid: str) -> bool:
    return word.startswith("GPU-") and uuid.startswith(word)


def _info(index: int, name: str, uuid: str, memory: int) -> DeviceInfo:
    return DeviceInfo(
        id=f"cuda:{index}", kind="gpu", index=index, label=label_of(name, memory), name=name, uuid=uuid, memory=memory
    )


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
