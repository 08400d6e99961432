"""The processor as a device: the whole pipeline on a machine without a GPU."""

from __future__ import annotations

from kernelbot_core import DeviceVendor, hookimpl
from kernelbot_device_cpu._vendor import CpuVendor

__all__ = ["CpuVendor", "kernelbot_register_devices"]


@hookimpl
def kernelbot_register_devices() -> list[type[DeviceVendor]]:
    """Bring the device ``cpu``."""
    return [CpuVendor]
