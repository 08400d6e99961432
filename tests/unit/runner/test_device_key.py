"""The name under which processes of one machine take turns on a device."""

from __future__ import annotations

import pytest

from kernelbot_core import Availability, DeviceInfo, UsageError, device_key
from kernelbot_core.plugins import registry


@pytest.fixture
def two_views(monkeypatch):
    """``two_views(uuid)``: this process is shown only that GPU, which is therefore its number 0."""
    vendor = registry().devices["nvidia"]
    monkeypatch.setattr(vendor, "available", lambda: Availability(ok=True))

    def show(uuid):
        info = DeviceInfo(id="cuda:0", kind="gpu", index=0, label="H200", name="H200", uuid=uuid, memory=1)
        monkeypatch.setattr(vendor, "devices", lambda: [info])

    return show


def test_one_number_for_two_devices_is_two_keys(two_views):
    keys = []
    for uuid in ("GPU-1", "GPU-2", "GPU-1"):
        two_views(uuid)
        keys.append(device_key("cuda:0"))
    assert keys == ["GPU-1", "GPU-2", "GPU-1"]


def test_a_device_without_a_uuid_goes_by_its_id():
    assert device_key("cpu") == "cpu"


def test_a_device_that_is_not_there_is_named():
    with pytest.raises(UsageError, match="cuda:7"):
        device_key("cuda:7")
