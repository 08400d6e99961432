"""Controller side, against a driver that says what the test tells it to."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from kernelbot_core.runner.cores import divide
from kernelbot_gpu_nvidia import NvidiaVendor, _nvml, _vendor

H100 = {"name": "NVIDIA H100 PCIe", "uuid": "GPU-1111", "memory": 81559 << 20}


def two(nvml):
    """A machine with an H200 and an H100."""
    nvml.gpus.append(type(nvml.gpus[0])(**H100))
    return NvidiaVendor()


def test_without_a_driver(monkeypatch):
    monkeypatch.setattr(_nvml, "driver_here", lambda: False)
    here = NvidiaVendor().available()
    assert not here.ok
    assert "no NVIDIA driver" in here.why
    assert "nvidia-smi" in here.fix
    assert NvidiaVendor().devices() == []


def test_looking_is_silent_and_loads_nothing_heavy():
    code = """
import sys
from kernelbot_gpu_nvidia import NvidiaVendor
vendor = NvidiaVendor(); vendor.available(); vendor.devices()
assert not {"torch", "cuda.bindings", "triton"} & set(sys.modules), "heavy"
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize(("module", "extra"), [("pynvml", "nvidia"), ("cuda.bindings", "nvidia"), ("torch", "torch")])
def test_a_missing_package_is_named_with_what_brings_it(nvml, monkeypatch, module, extra):
    monkeypatch.setattr(_vendor, "_importable", lambda name: name != module)
    here = NvidiaVendor().available()
    assert here.why == f"{module} is not installed"
    assert here.fix == f"pip install 'kernelbot[{extra}]'"


def test_torch_without_cuda(nvml, monkeypatch):
    monkeypatch.setattr(_vendor.importlib.metadata, "version", lambda name: "2.13.0+cpu")
    assert "2.13.0+cpu is built without CUDA" in NvidiaVendor().available().why


def test_a_driver_that_does_not_answer(nvml):
    nvml.broken = "Driver/library version mismatch"
    here = NvidiaVendor().available()
    assert not here.ok
    assert "version mismatch" in here.why
    assert NvidiaVendor().devices() == []


def test_devices(nvml):
    first, second = two(nvml).devices()
    assert (first.id, first.label, first.index, first.uuid) == ("cuda:0", "H200", 0, "GPU-0000")
    assert (second.id, second.label, second.kind, second.memory) == ("cuda:1", "H100-PCIe", "gpu", 81559 << 20)


@pytest.mark.parametrize(
    ("visible", "names"),
    [("1", ["H100-PCIe"]), ("1,0", ["H100-PCIe", "H200"]), ("GPU-1111", ["H100-PCIe"]), ("GPU-0", ["H200"]), ("", []),
     ("0,7,1", ["H200"]), ("GPU-", []), ("0, 1", ["H200", "H100-PCIe"])],
)  # fmt: skip
def test_the_callers_choice_of_devices_counts(nvml, monkeypatch, visible, names):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    devices = two(nvml).devices()
    assert [device.label for device in devices] == names
    assert [device.id for device in devices] == [f"cuda:{place}" for place in range(len(names))]


@pytest.mark.parametrize("visible", [None, "0,1", "1,0"])
def test_every_runner_of_a_machine_gives_a_device_the_same_place(nvml, monkeypatch, visible):
    """Ids count what a runner is shown, the cores of judges are divided among all."""
    vendor = two(nvml)
    if visible:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert {device.uuid: vendor.place(device) for device in vendor.devices()} == {
        "GPU-0000": (0, 2),
        "GPU-1111": (1, 2),
    }


def test_judges_of_two_runners_have_cores_of_their_own(nvml, monkeypatch, tmp_path):
    vendor, own = two(nvml), []
    for visible in ("GPU-0000", "1"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        (device,) = vendor.devices()
        assert device.id == "cuda:0"
        mine, others = divide(range(16), *vendor.place(device), tmp_path)
        own += mine
    assert len(own) == len(set(own)) == 4
    assert not set(own) & set(others)


def test_a_driver_that_knows_no_order_leaves_the_order_of_the_ids(nvml, monkeypatch):
    vendor, nvml.ordered = two(nvml), False
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,0")
    assert [vendor.place(device) for device in vendor.devices()] == [(0, 2), (1, 2)]


def test_no_visible_device_is_said(nvml, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert "CUDA_VISIBLE_DEVICES" in NvidiaVendor().available().fix


def test_target_and_environment(nvml):
    vendor = two(nvml)
    device = vendor.devices()[1]
    nvml.gpus[1].capability = (12, 0)
    assert vendor.target(device) == "sm_120a"
    assert vendor.visible_env(device)["CUDA_VISIBLE_DEVICES"] == "GPU-1111"


def test_sample(nvml):
    vendor = NvidiaVendor()
    reading = vendor.sample(vendor.devices()[0])
    json.dumps(reading, allow_nan=False)
    assert (reading["sm_mhz"], reading["memory_mhz"], reading["power_w"]) == (1980, 3201, 512.0)
    assert reading["throttle"] == ["power cap"]
    assert reading["ecc"] is True
    assert reading["driver"] == "580.1"


def test_a_sensor_that_is_not_there_is_no_zero(nvml):
    nvml.gpus[0].power = nvml.gpus[0].reasons = None
    vendor = NvidiaVendor()
    reading = vendor.sample(vendor.devices()[0])
    assert reading["power_w"] is None
    assert reading["throttle"] is None
    assert reading["pstate"] is None  # the library of this test does not even have the function


def free(nvml):
    vendor = NvidiaVendor()
    return vendor.check_free(vendor.devices()[0])


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    monkeypatch.setattr("kernelbot_gpu_nvidia._free.SETTLE_S", 0.05)


def test_processes_of_a_job_that_has_just_ended_are_waited_for(nvml, monkeypatch):
    """The driver lists them for a while."""
    slept = []

    def ends(seconds):
        slept.append(seconds)
        nvml.gpus[0].pids = [] if len(slept) == 2 else [4711]

    nvml.gpus[0].pids = [4711]
    monkeypatch.setattr("kernelbot_gpu_nvidia._free.time.sleep", ends)
    assert free(nvml).ok
    assert len(slept) == 2


def test_free(nvml):
    nvml.gpus[0].pids = [os.getpid(), os.getppid()]
    assert free(nvml).ok, "who has started the job waits for it"


@pytest.mark.parametrize(
    ("change", "why", "fix"),
    [({"pids": [71, 70]}, "pid 70, 71", "wait"), ({"mode": 3}, "EXCLUSIVE_PROCESS", "-c DEFAULT"),
     ({"mode": 2}, "PROHIBITED", "-c DEFAULT"), ({"mig": 1}, "MIG", "-mig 0")],
)  # fmt: skip
def test_what_stands_in_the_way_is_said_in_one_line(nvml, change, why, fix):
    for name, value in change.items():
        setattr(nvml.gpus[0], name, value)
    answer = free(nvml)
    assert not answer.ok
    assert why in answer.why
    assert "cuda:0" in answer.why
    assert "\n" not in answer.why
    assert fix in answer.fix


def test_mps_is_refused_while_it_runs(nvml, tmp_path):
    folder = tmp_path / "mps"
    folder.mkdir()
    assert free(nvml).ok
    (folder / "control").touch()
    assert "MPS" in free(nvml).why
    (folder / "nvidia-cuda-mps-control.pid").write_text(str(os.getpid()))
    assert "MPS" in free(nvml).why
    (folder / "nvidia-cuda-mps-control.pid").write_text("999999999")
    assert free(nvml).ok
