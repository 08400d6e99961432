"""How a job wants to be measured, and what the host knows about its own clock."""

from __future__ import annotations

import pytest

from kernelbot_core.cli import cli
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.hostfile import HostFile, host_s_T, path_of, write_host
from kernelbot_core.errors import UsageError
from kernelbot_core.model.device import DeviceInfo
from kernelbot_core.model.submission import Measure
from kernelbot_core.runner.prepare import make_order

GPU = DeviceInfo(id="cuda:0", kind="gpu", index=0, label="H200", name="NVIDIA H200", uuid="GPU-1")
FOUND = HostFile(
    uuid="GPU-1", driver="580.1", label="H200", date="2026-01-02T03:04:05+00:00", sessions=5, s_T=7e-7, c0=3.1e-4
)


class Vendor:
    """Knows its driver."""

    def __init__(self, driver="580.1"):
        self.driver = driver

    def sample(self, device):
        return {"driver": self.driver}


@pytest.fixture
def job(world, problem, kernel):
    def make(**changes):
        return accept_file(world.registry, problem, kernel, device="cpu", **changes)

    return make


@pytest.mark.parametrize(
    ("mode", "asked", "expected"),
    [("ranked", None, 0), ("benchmark", None, 1), ("benchmark", 0, 0), ("benchmark", 3, 3), ("ranked", 1, 1)],
)
def test_processes_for_short_kernels(world, job, mode, asked, expected):
    order = make_order(world.registry, job(mode=mode, measure=Measure(instances=asked)))
    assert order.instances == expected
    assert (order.flush, order.s_T, order.s_T_source) == ("read", None, "default")


@pytest.mark.parametrize(("mode", "text"), [("ranked", "ranked mode"), ("benchmark", "for GPUs")])
def test_a_flush_by_writing_is_for_comparisons_on_a_gpu(job, mode, text):
    with pytest.raises(UsageError, match=text):
        job(mode=mode, measure=Measure(flush="write"))


def test_the_command_line_passes_them_on(world, kernel):
    cli.main(["run", "twice", str(kernel), "--device", "cpu", "--instances", "auto"], standalone_mode=False)
    assert world.jobs[-1].measure == Measure(instances=0)
    cli.main(["run", "twice", str(kernel), "--device", "cpu", "--instances", "7"], standalone_mode=False)
    assert world.jobs[-1].measure == Measure(instances=7)


@pytest.mark.parametrize("wrong", ["0", "21", "-1", "many", ""])
def test_other_numbers_of_processes_are_refused(world, kernel, wrong):
    with pytest.raises(Exception, match="neither auto nor a number from 1 to 20"):
        cli.main(["run", "twice", str(kernel), "--instances", wrong], standalone_mode=False)


def test_a_host_remembers_its_selftest(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert host_s_T(Vendor(), GPU) == (None, "default")
    path = write_host(FOUND)
    assert path == path_of("GPU-1")
    assert host_s_T(Vendor(), GPU) == (7e-7, "selftest 2026-01-02")
    spread, source = host_s_T(Vendor("590.2"), GPU)
    assert spread is None
    assert "made with driver 580.1, this is 590.2" in source


@pytest.mark.parametrize("text", ["", "{}", '{"s_T": 0.0}', "\0"])
def test_a_broken_file_of_the_host_counts_as_none(tmp_path, monkeypatch, text):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_host(FOUND).write_text(text)
    assert host_s_T(Vendor(), GPU) == (None, "default: the selftest's file cannot be read")


def test_a_device_without_identity_has_no_file():
    assert host_s_T(Vendor(), DeviceInfo(id="cpu", kind="cpu", index=0, label="cpu", name="x")) == (None, "default")
