"""Which of several equal devices a job goes to."""

from __future__ import annotations

from kernelbot_core.engine.devices import all_devices
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.lanes import lanes
from kernelbot_core.errors import UsageError


def device_for(queue: Queue, label: str) -> str:
    """Id of the device with this board label that has the least to do; one that starts jobs is preferred.

    :param label: Such as ``H200`` or ``cpu``, in any case of letters.
    :raises UsageError: There is none; the hint lists the labels there are.
    """
    devices = all_devices(queue.registry)
    equal = [device.id for device in devices if device.label.lower() == label.lower()]
    if not equal:
        known = ", ".join(dict.fromkeys(device.label for device in devices)) or "none"
        raise UsageError(f"there is no {label} here", f"choose one of: {known}")
    known_lanes = {lane.device: lane for lane in lanes(queue)}

    def load(device: str) -> tuple[bool, int]:
        lane = known_lanes.get(device)
        return (False, 0) if lane is None else (lane.flow != "open", lane.waiting + (lane.running is not None))

    return min(equal, key=load)
