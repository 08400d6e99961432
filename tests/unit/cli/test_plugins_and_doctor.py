"""What ``kernelbot plugins`` and ``kernelbot doctor`` print, and their exit codes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kernelbot_core import Availability
from kernelbot_core.cli import cli
from kernelbot_core.plugins import Found, load_registry, registry, use_registry
from kernelbot_core.plugins._loader import installed


def fails():
    raise ImportError("no module named gone")


@pytest.fixture
def with_a_broken_one():
    bad = Found(name="bad", dist="bad-dist", version="1.2", value="bad", load=fails)
    with use_registry(load_registry(found=[*installed(), bad])) as found:
        yield found


def run(*args):
    return CliRunner().invoke(cli, list(args), standalone_mode=False)


def test_plugins_lists_what_is_loaded():
    ran = run("plugins", "--json")
    seen = json.loads(ran.stdout)
    assert [one["name"] for one in seen["plugins"]] == [plugin.name for plugin in registry().plugins]
    assert seen["broken"] == seen["disabled"] == []
    torch = next(one for one in seen["plugins"] if one["name"] == "lang_torch")
    assert torch["brings"] == {"languages": ["torch"]}
    assert torch["version"]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_plugins_breaks_no_name(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    shown = run("plugins").stdout
    words = set(shown.split())
    for plugin in registry().plugins:
        assert {plugin.name, plugin.dist, plugin.version} <= words
        assert {hook.removeprefix("kernelbot_") for hook in plugin.hooks} <= words
        assert {name for names in plugin.brings.values() for name in names} <= {word.strip(",;") for word in words}
    assert "…" not in shown
    if width == 80:
        assert max(map(len, shown.splitlines())) <= width


@pytest.mark.usefixtures("with_a_broken_one")
def test_plugins_names_what_was_set_aside():
    assert json.loads(run("plugins", "--json").stdout)["broken"] == [
        {"name": "bad", "dist": "bad-dist", "why": "ImportError: no module named gone"}
    ]
    shown = run("plugins").stdout
    assert "set aside: bad (bad-dist): ImportError: no module named gone" in shown
    assert "lang_torch" in shown


def test_doctor_is_content_where_a_kernel_can_be_judged():
    ran = run("doctor", "--json")
    assert json.loads(ran.stdout)["ok"] is True
    shown = run("doctor").stdout
    assert "works here: languages: " in shown
    assert "works here: packs: " in shown


@pytest.mark.usefixtures("with_a_broken_one")
def test_doctor_is_not_content_with_a_broken_plugin():
    ran = run("doctor")
    assert ran.exit_code == 3
    assert "missing: bad (bad-dist): ImportError: no module named gone" in ran.stdout
    assert "KERNELBOT_DISABLE_PLUGINS" in ran.stdout


def test_doctor_warns_of_packages_that_are_not_compiled(monkeypatch):
    lack = Availability(ok=False, why="not compiled: torch", fix="python -m compileall 'an env/site-packages'")
    monkeypatch.setattr("kernelbot_core.engine.diagnose.check_bytecode", lambda: lack)
    ran = run("doctor")
    assert ran.exit_code == 0
    assert "missing: bytecode: not compiled: torch  ->  python -m compileall 'an env/site-packages'\n" in ran.stdout


def test_doctor_is_not_content_with_broken_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernelbot.toml").write_text('stroe = "x"\n')
    ran = run("doctor")
    assert ran.exit_code == 3
    assert f"wrong: settings: {tmp_path}/kernelbot.toml: unknown key stroe  ->  known: store, " in ran.stdout
    seen = json.loads(run("doctor", "--json").stdout)
    assert seen["ok"] is False
    assert [one["ok"] for one in seen["findings"] if one["kind"] == "settings"] == [False]
    (tmp_path / "kernelbot.toml").write_text('store = "tinydb:///x"\n')
    assert run("doctor").exit_code == 0
