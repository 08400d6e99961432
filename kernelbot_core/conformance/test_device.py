"""Devices: what the controller is told adds up, and the judge's half moves bytes faithfully."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from kernelbot_core.interfaces.device import DeviceVendor, JudgeDevice, Output, WorkerDevice
from kernelbot_core.model.device import DeviceInfo

N = 5000


@pytest.fixture
def device(device_vendor: DeviceVendor) -> DeviceInfo:
    """The first device of the vendor, or a skip with its own reason."""
    here = device_vendor.available()
    devices = device_vendor.devices() if here.ok else []
    if not devices:
        pytest.skip(f"{device_vendor.name}: {here.why or 'no device found'}")
    return devices[0]


@pytest.fixture
def judge(device_vendor: DeviceVendor, device: DeviceInfo) -> Iterator[JudgeDevice]:
    """The judge's half, opened."""
    opened: JudgeDevice = resolve(device_vendor.judge)(device.index)
    yield opened
    opened.close()


def resolve(path: str) -> Any:
    """The object that ``module:Class`` names."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def test_available_gives_a_reason(device_vendor: DeviceVendor) -> None:
    """What is missing is named together with what helps."""
    here = device_vendor.available()
    assert here.ok or (here.why and here.fix)


def test_looking_for_devices_never_raises(device_vendor: DeviceVendor) -> None:
    """Also where there is none."""
    devices = device_vendor.devices()
    assert len({device.id for device in devices}) == len(devices)


def test_ids_and_labels(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Ids start with the prefix; labels can be typed and name a board."""
    for one in device_vendor.devices():
        assert one.id.partition(":")[0] == device_vendor.prefix
        assert one.label
        assert not any(c.isspace() for c in one.label)
        assert one.memory > 0
        assert msgspec.json.decode(msgspec.json.encode(one), type=DeviceInfo) == one
    assert device.index >= 0


def test_place_is_among_the_devices_of_the_machine(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Each device has one of its own, and all are counted alike."""
    places = [device_vendor.place(one) for one in device_vendor.devices()]
    assert len(set(places)) == len(places)
    place, count = device_vendor.place(device)
    assert 0 <= place < count
    assert {counted for _, counted in places} == {count}


def test_target_is_one_word(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """What compilers aim at."""
    target = device_vendor.target(device)
    assert target
    assert not any(c.isspace() for c in target)


def test_peaks_are_positive_and_sourced(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """A percentage of a peak is worth as much as the peak."""
    peaks = device_vendor.peaks(device)
    values = [v for v in (peaks.bytes_per_s, *peaks.flops_per_s.values()) if v is not None]
    assert all(math.isfinite(v) and v > 0 for v in values)
    assert peaks.source


def test_sample_has_numbers(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Clocks, temperature, load ...: for the report, so it must be JSON."""
    sample = device_vendor.sample(device)
    json.dumps(sample, allow_nan=False)
    assert [v for v in sample.values() if isinstance(v, (int, float))]


def test_visible_env_is_environment(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Names and values are text."""
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in device_vendor.visible_env(device).items())


def test_check_free_gives_a_reason(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """Somebody else on the device is named."""
    free = device_vendor.check_free(device)
    assert free.ok or free.why


def test_both_halves_can_be_imported(device_vendor: DeviceVendor, device: DeviceInfo) -> None:
    """``module:Class`` of the judge's and of the worker's half."""
    assert issubclass(resolve(device_vendor.judge), JudgeDevice), device.id
    assert issubclass(resolve(device_vendor.worker), WorkerDevice)
    assert resolve(device_vendor.judge).ranks_on in {"T", "E"}


def test_reveal_and_snapshot_carry_every_byte(judge: JudgeDevice) -> None:
    """Private to shared and back, to the last element."""
    import torch

    master = torch.arange(N, dtype=torch.float32, device=judge.torch_device)
    buffer = judge.allocate(4 * N)
    judge.reveal(master, buffer)
    judge.synchronize()
    assert judge.unchanged(master, buffer)
    [copy] = judge.snapshot([Output(buffer, "fp32", (N,))])
    assert torch.equal(copy, master)
    buffer.tensor("fp32", (N,))[-1] = -1
    judge.synchronize()
    assert torch.equal(copy, master), "a snapshot is a copy of its own"
    assert not judge.unchanged(master, buffer)
    buffer.close()


def test_parts_go_to_their_place_and_corrections_land(judge: JudgeDevice) -> None:
    """An input may come in parts, and a few of its elements are put right afterwards."""
    import torch

    master = torch.arange(N, dtype=torch.int32, device=judge.torch_device)
    buffer = judge.allocate(4 * N)
    judge.reveal(master[: N // 2], buffer)
    judge.reveal(-master[N // 2 :], buffer, 4 * (N // 2))
    judge.synchronize()
    assert judge.unchanged(master[: N // 2], buffer)
    assert judge.unchanged(-master[N // 2 :], buffer, 4 * (N // 2))
    assert not judge.unchanged(master, buffer)
    places = torch.arange(N // 2, N, device=judge.torch_device)
    judge.correct(buffer, places, master[N // 2 :])
    judge.synchronize()
    assert judge.unchanged(master, buffer)
    buffer.close()


def test_poison_is_fresh(judge: JudgeDevice) -> None:
    """Other seeds give other bytes, the same seed the same ones: nothing can be left over unseen."""
    buffer = judge.allocate(4 * N)
    seen = []
    for seed in (1, 2, 1):
        judge.poison(buffer, seed)
        [copy] = judge.snapshot([Output(buffer, "uint8", (4 * N,))])
        seen.append(copy.clone())  # a device may use the same private memory for every snapshot
    assert bool((seen[0] == seen[2]).all())
    assert bool((seen[0] != seen[1]).any())
    buffer.close()


def test_the_tail_tells_who_wrote_too_far(judge: JudgeDevice) -> None:
    """Writing the data leaves the tail alone; a fresh buffer's tail is intact."""
    buffer = judge.allocate(4 * N)
    assert judge.tail_intact(buffer)
    judge.poison(buffer, 7)
    buffer.tensor("fp32", (N,)).fill_(1.0)
    judge.synchronize()
    assert judge.tail_intact(buffer)
    buffer.close()


def test_the_clock_goes_forward(judge: JudgeDevice) -> None:
    """Nanoseconds, monotonic, with a tick that is positive."""
    stamps = [judge.clock() for _ in range(1000)]
    assert stamps == sorted(stamps)
    assert judge.clock_tick() > 0


def test_flush_and_free_memory(judge: JudgeDevice) -> None:
    """Flushing is allowed at any time; free memory is a number of bytes."""
    judge.flush()
    judge.synchronize()
    assert judge.memory_free() > 0
    json.dumps(judge.environment(), default=str)
