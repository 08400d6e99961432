"""``kernelbot doctor``: one broken thing must not hide the others, and each has its fix."""

from __future__ import annotations

import pytest

from kernelbot_core import (
    Availability,
    DeviceInfo,
    DeviceVendor,
    InfrastructureError,
    Language,
    PackSource,
    UsageError,
    hookimpl,
)
from kernelbot_core.engine.devices import all_devices, choose_device, find_device, require_free
from kernelbot_core.engine.diagnose import diagnose, works
from kernelbot_core.plugins import Found, load_registry, registry
from kernelbot_core.plugins._loader import installed


def bring(**answers):
    """A plugin with one register hook per keyword."""

    def implementation(answer):
        return hookimpl(lambda self: answer)

    hooks = {f"kernelbot_register_{kind}": implementation(answer) for kind, answer in answers.items()}
    return type("Brought", (), hooks)()


class Gpu(DeviceVendor):
    """Two devices that nobody can use."""

    name, prefix, judge, worker = "gpu", "gpu", "nowhere:Judge", "nowhere:Worker"

    def available(self):
        return Availability(ok=True)

    def devices(self):
        return [DeviceInfo(id=f"gpu:{n}", kind="gpu", index=n, label="G1", name="G1", memory=1 << 30) for n in range(2)]

    def target(self, device):
        return "g1"

    def peaks(self, device):
        raise NotImplementedError  # the test does not get so far

    def sample(self, device):
        return {}

    def visible_env(self, device):
        return {}

    def check_free(self, device):
        return Availability(ok=device.index == 0, why="somebody else computes on it", fix="wait")


class Missing(Gpu):
    """Its driver is not there."""

    name, prefix = "missing", "missing"

    def available(self):
        return Availability(ok=False, why="no driver", fix="install the driver")


class Exploding(Gpu):
    """A vendor that fails in an unforeseen way."""

    name, prefix = "exploding", "exploding"

    def available(self):
        raise OSError("library not found")


def found_in(findings, kind, name):
    [one] = [f for f in findings if (f.kind, f.name) == (kind, name)]
    return one


def test_everything_that_is_there_is_looked_at():
    findings = diagnose(registry())
    assert works(findings)
    assert {f.kind for f in findings} >= {
        "python", "tools", "languages", "devices", "sandboxes", "executors", "stores", "packs",
    }  # fmt: skip
    assert found_in(findings, "languages", "torch").ok
    assert found_in(findings, "devices", "cpu").ok


def test_what_does_not_work_is_named_with_its_fix():
    findings = diagnose(load_registry([bring(devices=[Missing, Gpu])]))
    missing = found_in(findings, "devices", "missing")
    assert (missing.ok, missing.detail, missing.fix) == (False, "no driver", "install the driver")
    busy = found_in(findings, "devices", "gpu:1")
    assert "somebody else computes on it" in busy.detail
    assert busy.fix == "wait"


def test_a_vendor_that_raises_is_a_finding():
    findings = diagnose(load_registry([bring(devices=[Exploding])]))
    assert found_in(findings, "devices", "exploding").detail == "OSError: library not found"
    assert works(findings)


class ExplodingStore(registry().stores["tinydb"]):
    """A store that fails in an unforeseen way, and tells a password."""

    scheme = "exploding"

    def problems(self):
        raise RuntimeError("cannot reach exploding://ann:secret@host")

    @classmethod
    def exists(cls, url):
        return True


def test_a_store_that_raises_is_a_finding(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBOT_STORE", f"exploding://{tmp_path}")
    findings = diagnose(load_registry([bring(stores=[ExplodingStore])]))
    store = found_in(findings, "settings", "store")
    assert (store.ok, store.detail) == (False, "RuntimeError: cannot reach exploding://ann:***@host")
    assert found_in(findings, "packs", "vector_add").ok


def test_a_broken_pack_is_a_finding(tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/problem.toml").write_text("format = 1\n")
    (tmp_path / "odd/problem.py").touch()
    findings = diagnose(load_registry([bring(problem_packs=[PackSource(name="odd", folder=tmp_path)])]))
    odd = found_in(findings, "packs", "odd")
    assert not odd.ok
    assert "problem.toml" in odd.detail


def test_a_broken_plugin_is_a_finding():
    def load():
        raise ImportError("gone")

    bad = Found(name="bad", dist="bad-dist", version="1", value="bad", load=load)
    findings = diagnose(load_registry(found=[bad]))
    broken = found_in(findings, "plugins", "bad (bad-dist)")
    assert broken.detail == "ImportError: gone"
    assert broken.fix == "pip install --upgrade bad-dist, or leave it out with KERNELBOT_DISABLE_PLUGINS=bad"
    assert not works(findings), "nothing else is installed here"


def test_a_name_that_leaves_nothing_out_is_taken_out_of_the_variable(monkeypatch):
    monkeypatch.setenv("KERNELBOT_DISABLE_PLUGINS", "lang_cuda,foo")
    finding = found_in(diagnose(load_registry()), "plugins", "foo (KERNELBOT_DISABLE_PLUGINS)")
    assert finding.fix == "take foo out of KERNELBOT_DISABLE_PLUGINS"


def test_the_second_of_a_name_is_uninstalled_and_not_left_out():
    second = Found(name="lang_torch", dist="other-dist", version="1", value="other", load=object)
    finding = found_in(diagnose(load_registry(found=[*installed(), second])), "plugins", "lang_torch (other-dist)")
    assert finding.fix == "pip uninstall other-dist, or the one whose place it wants"


def test_devices_of_a_vendor_that_does_not_work_are_left_out():
    found = load_registry([bring(devices=[Missing, Gpu])])
    assert [d.id for d in all_devices(found) if d.id != "cpu" and not d.id.startswith("cuda")] == ["gpu:0", "gpu:1"]


def test_a_device_is_found_by_its_id():
    found = load_registry([bring(devices=[Missing, Gpu])])
    vendor, device = find_device(found, "gpu:1")
    assert (vendor.name, device.index) == ("gpu", 1)
    with pytest.raises(UsageError, match="there is no device gpu:7") as caught:
        find_device(found, "gpu:7")
    assert "gpu:0, gpu:1" in caught.value.hint
    with pytest.raises(UsageError, match="no driver") as caught:
        find_device(found, "missing:0")
    assert caught.value.hint == "install the driver"


def test_a_device_that_is_not_free_is_the_machine_s_fault():
    found = load_registry([bring(devices=[Gpu])])
    require_free(*find_device(found, "gpu:0"))
    with pytest.raises(InfrastructureError, match="gpu:1 cannot be measured on now: somebody else computes") as caught:
        require_free(*find_device(found, "gpu:1"))
    assert caught.value.hint


def test_auto_takes_the_first_gpu_that_the_language_can_use():
    found = load_registry([bring(devices=[Gpu])])
    if any(d.kind == "gpu" and not d.id.startswith("gpu:") for d in all_devices(found)):
        pytest.skip("a real GPU comes before the one of this test")
    languages = found.languages
    assert choose_device(found, "auto", languages["torch"])[1].id == "gpu:0"
    assert choose_device(found, "cpu", languages["torch"])[1].id == "cpu"
    on_cpu_only = type("CpuOnly", (type(languages["torch"]),), {"support": lambda self, kind: cpu_only(kind)})()
    assert choose_device(found, "auto", on_cpu_only)[1].id == "cpu"


def cpu_only(kind):
    from kernelbot_core import Support

    return Support(run="" if kind == "cpu" else "not there")


def test_without_any_device_the_hint_is_doctor():
    found = load_registry(found=[])
    language: Language = registry().languages["torch"]
    with pytest.raises(UsageError) as caught:
        choose_device(found, "auto", language)
    assert "doctor" in caught.value.hint
