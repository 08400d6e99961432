"""The loader: nothing foreign replaces, breaks or silences anything of ours."""

from __future__ import annotations

import logging
from types import ModuleType, SimpleNamespace

import pytest

from kernelbot_core import Availability, PackSource, PluginError, Sandbox, hookimpl
from kernelbot_core.plugins import Found, load_registry, plugin_registered, registry
from kernelbot_core.plugins._loader import installed


class Bare(Sandbox):
    """A sandbox that is never started."""

    name = "bare"
    guarantees = frozenset()

    def available(self):
        return Availability(ok=True)

    def start(self, command, *, env, folder, mounts, limits, fds):
        raise NotImplementedError  # the test does not get so far


class AnotherBare(Bare):
    """The same name again."""


def plugin(**hooks):
    """A module with hook implementations; names that are no hooks are left as they are."""
    module = ModuleType("made_by_hand")
    for name, function in hooks.items():
        setattr(module, name, function)
    return module


def brings(*sandboxes):
    @hookimpl
    def kernelbot_register_sandboxes():
        return list(sandboxes)

    return plugin(kernelbot_register_sandboxes=kernelbot_register_sandboxes)


def offer(name, dist, load, value="module"):
    return Found(name=name, dist=dist, version="1", value=value, load=load)


def fails(exception):
    def load():
        raise exception

    return load


def load(*found):
    return load_registry(found=found)


def test_builtins_enter_by_the_public_door():
    names = {one.name for one in installed() if one.dist == "kernelbot"}
    assert {"device_cpu", "sandbox_process", "exec_local", "store_tinydb", "ranking_geomean"} <= names
    assert registry().broken == []


def test_our_distribution_comes_first_then_a_fixed_order(monkeypatch):
    def point(name, dist):
        return SimpleNamespace(
            name=name, value=f"{dist}:{name}", dist=SimpleNamespace(name=dist, version="1"), load=lambda: None
        )

    points = [point("b", "Zeta_Two"), point("a", "zeta-two"), point("x", "alpha"), point("z", "kernelbot")]
    monkeypatch.setattr("kernelbot_core.plugins._loader.entry_points", lambda group: points)
    assert [(f.dist, f.name) for f in installed()] == [
        ("kernelbot", "z"), ("alpha", "x"), ("zeta-two", "a"), ("zeta-two", "b"),
    ]  # fmt: skip


def test_a_taken_plugin_name_is_refused_and_both_sides_are_named():
    found = load(
        offer("box", "kernelbot", lambda: brings(Bare), "ours"), offer("box", "hijack", lambda: brings(AnotherBare))
    )
    assert type(found.sandboxes["bare"]) is Bare
    [broken] = found.broken
    assert (broken.name, broken.dist) == ("box", "hijack")
    assert "ours of kernelbot" in broken.why


def test_one_distribution_seen_twice_is_no_clash():
    found = load(offer("box", "kernelbot", lambda: brings(Bare)), offer("box", "kernelbot", lambda: brings(Bare)))
    assert found.broken == []
    assert list(found.sandboxes) == ["bare"]


@pytest.mark.parametrize("exception", [ImportError("no module named gone"), SystemExit(3), SyntaxError("odd")])
def test_a_broken_import_is_set_aside_and_the_rest_works(exception):
    found = load(offer("bad", "bad-dist", fails(exception)), offer("box", "good", lambda: brings(Bare)))
    assert list(found.sandboxes) == ["bare"]
    [broken] = found.broken
    assert broken.name == "bad"
    assert type(exception).__name__ in broken.why


def misspelt_hook():
    @hookimpl
    def kernelbot_register_sandboxs():
        return []

    return plugin(kernelbot_register_sandboxs=kernelbot_register_sandboxs)


def misspelt_argument():
    @hookimpl
    def kernelbot_before_run(jb):
        return None

    return plugin(kernelbot_before_run=kernelbot_before_run)


def unmarked():
    return plugin(kernelbot_before_run=lambda job: None)


def asynchronous():
    @hookimpl
    async def kernelbot_before_run(job):
        return None

    return plugin(kernelbot_before_run=kernelbot_before_run)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (misspelt_hook, "kernelbot_register_sandboxs"),
        (misspelt_argument, "jb"),
        (unmarked, "not marked with @hookimpl"),
        (asynchronous, "is async"),
    ],
)
def test_a_faulty_hook_sets_the_plugin_aside(make, says):
    found = load(offer("bad", "bad-dist", make), offer("box", "good", lambda: brings(Bare)))
    assert list(found.sandboxes) == ["bare"]
    assert [one.name for one in found.plugins] == ["box"]
    assert says in found.broken[0].why
    assert found.hook.kernelbot_before_run.get_hookimpls() == []


class Incomplete(Sandbox):
    """Lacks start()."""

    name = "incomplete"
    guarantees = frozenset()

    def available(self):
        return Availability(ok=True)


class Nameless(Bare):
    """Has no name."""

    name = ""


class Explodes(Bare):
    """Cannot be constructed."""

    name = "explodes"

    def __init__(self):
        raise OSError("no such device")


@pytest.mark.parametrize(
    ("cls", "says"),
    [(Incomplete, "lacks start"), (Nameless, "has no name"), (Explodes, "no such device"), (int, "not a subclass")],
)
def test_a_class_that_cannot_be_used_takes_its_plugin_out_and_nothing_else(cls, says):
    found = load(
        offer("bad", "bad-dist", lambda: brings(Bare, cls)), offer("other", "good", lambda: brings(AnotherBare))
    )
    assert type(found.sandboxes["bare"]) is AnotherBare  # nothing of the bad plugin stays, not even its sound half
    assert says in found.broken[0].why


def test_a_duplicate_name_is_refused_and_both_classes_are_named():
    found = load(offer("one", "a", lambda: brings(Bare)), offer("two", "b", lambda: brings(AnotherBare)))
    assert type(found.sandboxes["bare"]) is Bare
    [broken] = found.broken
    assert "AnotherBare" in broken.why
    assert ".Bare has already" in broken.why
    assert [one.brings for one in found.plugins] == [{"sandboxes": ["bare"]}, {}]


def test_pack_sources_of_one_name_are_refused_too(tmp_path):
    def source(folder):
        @hookimpl
        def kernelbot_register_problem_packs():
            return [PackSource(name="packs", folder=folder)]

        return plugin(kernelbot_register_problem_packs=kernelbot_register_problem_packs)

    found = load(offer("one", "a", lambda: source(tmp_path / "1")), offer("two", "b", lambda: source(tmp_path / "2")))
    assert [s.folder.name for s in found.pack_sources] == ["1"]
    assert str(tmp_path / "2") in found.broken[0].why


def test_disabled_plugins_are_left_out_and_unknown_names_are_told(monkeypatch):
    monkeypatch.setenv("KERNELBOT_DISABLE_PLUGINS", "box, nobody")
    found = load(offer("box", "a", fails(AssertionError("was imported"))))
    assert found.plugins == []
    assert found.manager.off == ["box"]
    assert [one.name for one in found.broken] == ["nobody"]


def test_trace_prints_each_hook_call(monkeypatch, capsys):
    monkeypatch.setenv("KERNELBOT_TRACE_PLUGINS", "1")
    load(offer("box", "a", lambda: brings(Bare)))
    said = capsys.readouterr().err
    assert "kernelbot_register_sandboxes() -> box" in said
    assert "Bare" in said


def hears(name, heard, exception=None):
    class Listener:
        @hookimpl
        def kernelbot_before_run(self, job):
            heard.append((name, job))
            if exception:
                raise exception

    return offer(name, name, Listener)


def test_notify_logs_a_listener_that_raises_and_the_others_hear(caplog):
    heard = []
    found = load(hears("a", heard), hears("b", heard, RuntimeError("deaf")), hears("c", heard))
    with caplog.at_level(logging.ERROR):
        found.notify("kernelbot_before_run", job="job")
    assert heard == [("a", "job"), ("b", "job"), ("c", "job")]
    assert "plugin b of b failed in kernelbot_before_run" in caplog.text


def objects(name, answer):
    class Check:
        @hookimpl
        def kernelbot_check_source(self, submission):
            if isinstance(answer, Exception):
                raise answer
            return answer

    return offer(name, name, Check)


def test_objections_are_collected_and_a_check_that_fails_is_no_consent():
    found = load(
        objects("lenient", []), objects("strict", ["no loops"]), objects("broken", ValueError("oops")),
        objects("odd", "a bare string"), objects("other", ["no goto"]),
    )  # fmt: skip
    said = found.collect_objections("kernelbot_check_source", submission=None, problem=None)
    assert said[0] == "no loops"
    assert said[-1] == "no goto"
    assert "plugin broken" in said[1]
    assert "ValueError: oops" in said[1]
    assert "plugin odd" in said[2]
    assert len(said) == 4


def test_plugin_registered_is_seen_inside_only():
    before = registry()
    with plugin_registered(brings(Bare)) as inside:
        assert registry() is inside
        assert "bare" in inside.sandboxes
        assert "process" in inside.sandboxes
    assert registry() is before
    assert "bare" not in before.sandboxes


def test_plugin_registered_says_when_the_plugin_cannot_be_used():
    with pytest.raises(PluginError, match="not marked with @hookimpl"), plugin_registered(unmarked()):
        pass
