"""Devices as the controller sees them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

DeviceKind = Literal["cpu", "gpu"]


class DeviceInfo(Struct, frozen=True, kw_only=True):
    """One device of this machine."""

    id: str
    """What ``--device`` takes: ``cpu``, ``cuda:0``."""
    kind: DeviceKind
    index: int
    label: str
    """Board label; tells form factors apart: ``cpu``, ``H200``, ``H100-SXM``, ``H100-PCIe``."""
    name: str
    """Name by the driver."""
    uuid: str = ""
    memory: int = 0
    """Bytes."""


class Peaks(Struct, frozen=True, kw_only=True):
    """What the device can do at best; None where nobody knows."""

    bytes_per_s: float | None = None
    flops_per_s: dict[str, float] = {}
    """Dtype name -> FLOP/s."""
    source: str = ""
    """Where the figures come from."""


class Availability(Struct, frozen=True, kw_only=True):
    """Whether something works here, and if not, why and what to do."""

    ok: bool
    why: str = ""
    fix: str = ""
    """A command or a sentence that helps."""
