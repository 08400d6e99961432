"""Controller side, through NVML: no torch, no CUDA context."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

from kernelbot_core import Availability, DeviceInfo, DeviceVendor, Peaks
from kernelbot_gpu_nvidia._labels import label_of, peaks_of, target_of

FIX = "pip install 'kernelbot[nvidia]'"
THROTTLE = {
    0x2: "application clocks", 0x4: "power cap", 0x8: "hardware slowdown", 0x20: "software thermal",
    0x40: "hardware thermal", 0x80: "power brake",
}  # fmt: skip
EXCLUSIVE_PROCESS = 3


class NvidiaVendor(DeviceVendor):
    """``--device cuda:N``."""

    name = "nvidia"
    prefix = "cuda"
    judge = "kernelbot_gpu_nvidia._judge:NvidiaJudge"
    worker = "kernelbot_gpu_nvidia._worker:NvidiaWorker"

    def available(self) -> Availability:
        try:
            import pynvml
        except ImportError:
            return Availability(ok=False, why="nvidia-ml-py is not installed", fix=FIX)
        try:
            with _nvml():
                count = pynvml.nvmlDeviceGetCount()
        except pynvml.NVMLError as exc:
            return Availability(ok=False, why=f"no NVIDIA driver answers ({exc})", fix="install the NVIDIA driver")
        if count == 0:
            return Availability(ok=False, why="the driver sees no GPU", fix="check `nvidia-smi`")
        return Availability(ok=True)

    def devices(self) -> Sequence[DeviceInfo]:
        import pynvml

        with _nvml():
            return [_info(index) for index in range(pynvml.nvmlDeviceGetCount())]

    def target(self, device: DeviceInfo) -> str:
        import pynvml

        with _nvml():
            return target_of(*pynvml.nvmlDeviceGetCudaComputeCapability(_handle(device)))

    def peaks(self, device: DeviceInfo) -> Peaks:
        return peaks_of(device.label)

    def sample(self, device: DeviceInfo) -> dict[str, Any]:
        import pynvml as nv

        with _nvml():
            handle = _handle(device)
            reasons = _asked(lambda: nv.nvmlDeviceGetCurrentClocksEventReasons(handle)) or 0
            return {
                "driver": _text(nv.nvmlSystemGetDriverVersion()),
                "sm_mhz": _asked(lambda: nv.nvmlDeviceGetClockInfo(handle, nv.NVML_CLOCK_SM)),
                "memory_mhz": _asked(lambda: nv.nvmlDeviceGetClockInfo(handle, nv.NVML_CLOCK_MEM)),
                "temperature_c": _asked(lambda: nv.nvmlDeviceGetTemperature(handle, nv.NVML_TEMPERATURE_GPU)),
                "power_w": (_asked(lambda: nv.nvmlDeviceGetPowerUsage(handle)) or 0) / 1000,
                "throttle": [name for bit, name in THROTTLE.items() if reasons & bit],
                "ecc": _asked(lambda: nv.nvmlDeviceGetEccMode(handle)[0]),
                "memory_used": _asked(lambda: nv.nvmlDeviceGetMemoryInfo(handle).used),
            }

    def visible_env(self, device: DeviceInfo) -> dict[str, str]:
        return {"CUDA_VISIBLE_DEVICES": device.uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}

    def check_free(self, device: DeviceInfo) -> Availability:
        import pynvml as nv

        if os.path.exists(f"{os.environ.get('CUDA_MPS_PIPE_DIRECTORY', '/tmp/nvidia-mps')}/control"):  # noqa: PTH110
            return Availability(
                ok=False, why="MPS is running: one client's fault takes all", fix="stop nvidia-cuda-mps-control"
            )
        with _nvml():
            handle = _handle(device)
            if _asked(lambda: nv.nvmlDeviceGetComputeMode(handle)) == EXCLUSIVE_PROCESS:
                return Availability(
                    ok=False, why="compute mode is EXCLUSIVE_PROCESS, the judge and two workers need a context each",
                    fix="nvidia-smi -c DEFAULT",
                )  # fmt: skip
            others = _asked(lambda: nv.nvmlDeviceGetComputeRunningProcesses(handle)) or []
        if others:
            pids = ", ".join(str(process.pid) for process in others)
            return Availability(
                ok=False, why=f"other processes compute on {device.id} (pid {pids})", fix="wait, or end them"
            )
        return Availability(ok=True)


@contextlib.contextmanager
def _nvml() -> Iterator[None]:
    import pynvml

    pynvml.nvmlInit()
    try:
        yield
    finally:
        pynvml.nvmlShutdown()


def _handle(device: DeviceInfo) -> Any:
    import pynvml

    return pynvml.nvmlDeviceGetHandleByUUID(device.uuid)


def _info(index: int) -> DeviceInfo:
    import pynvml

    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    name = _text(pynvml.nvmlDeviceGetName(handle))
    return DeviceInfo(
        id=f"cuda:{index}", kind="gpu", index=index, label=label_of(name), name=name,
        uuid=_text(pynvml.nvmlDeviceGetUUID(handle)), memory=int(pynvml.nvmlDeviceGetMemoryInfo(handle).total),
    )  # fmt: skip


def _asked(question: Any) -> Any:
    """The answer, or None where this device or driver does not know."""
    import pynvml

    try:
        return question()
    except pynvml.NVMLError:
        return None


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
