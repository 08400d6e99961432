"""Devices of all vendors, and the choice of one."""

from __future__ import annotations

from kernelbot_core.errors import InfrastructureError, UsageError
from kernelbot_core.interfaces.device import DeviceVendor
from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.device import DeviceInfo
from kernelbot_core.plugins import Registry

AUTO = "auto"


def all_devices(registry: Registry) -> list[DeviceInfo]:
    """Devices of every vendor that works here, in the order of the plugins."""
    return [device for _, device in _pairs(registry)]


def find_device(registry: Registry, device_id: str) -> tuple[DeviceVendor, DeviceInfo]:
    """The device of that id.

    :raises UsageError: There is none; the hint lists those there are, or says how to make the vendor work.
    """
    pairs = _pairs(registry)
    for vendor, device in pairs:
        if device.id == device_id:
            return vendor, device
    prefix = device_id.partition(":")[0]
    for vendor in registry.devices.values():
        here = vendor.available()
        if vendor.prefix == prefix and not here.ok:
            raise UsageError(f"device {device_id} cannot be used here: {here.why}", here.fix)
    known = ", ".join(device.id for _, device in pairs) or "none"
    raise UsageError(f"there is no device {device_id}", f"devices here: {known}; see 'kernelbot doctor'")


def require_free(vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Complain about a device on which nothing can be timed now.

    :raises InfrastructureError: It is not free for a trustworthy measurement.
    """
    free = vendor.check_free(device)
    if not free.ok:
        raise InfrastructureError(f"{device.id} cannot be measured on now: {free.why}", free.fix)


def choose_device(registry: Registry, wanted: str, language: Language) -> tuple[DeviceVendor, DeviceInfo]:
    """The device for a submission: the one that is named, or for ``auto`` the first GPU the language can use, else cpu.

    :raises UsageError: No such device, or none at all.
    """
    if wanted != AUTO:
        return find_device(registry, wanted)
    pairs = sorted(_pairs(registry), key=lambda pair: pair[1].kind != "gpu")  # stable: GPUs first
    for vendor, device in pairs:
        if not language.support(device.kind).run:
            return vendor, device
    if pairs:
        return pairs[0]
    raise UsageError("there is no device to run on", "see 'kernelbot doctor'")


def _pairs(registry: Registry) -> list[tuple[DeviceVendor, DeviceInfo]]:
    return [
        (vendor, device) for vendor in registry.devices.values() if vendor.available().ok for device in vendor.devices()
    ]
