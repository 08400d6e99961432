"""``kernelbot doctor`` names the setting with which every run, or every submission, would fail."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def doctor(call, tmp_path, monkeypatch):
    """``doctor(text) -> (exit code, lines about settings)`` with that ``kernelbot.toml``."""
    monkeypatch.delenv("KERNELBOT_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(text):
        (tmp_path / "kernelbot.toml").write_text(text)
        code, out, err = call("doctor")
        assert err == ""
        return code, [line for line in out.splitlines() if line.startswith("wrong: ")]

    return run


@pytest.fixture
def sound(doctor):
    """Exit code on this machine with nothing wrong: 3 where no sandbox works."""
    code, wrong = doctor("")
    assert wrong == []
    return code


def test_a_sandbox_that_is_not_there(doctor, tmp_path):
    code, [line] = doctor('sandbox = "nope"')
    assert code == 3
    file = f"{tmp_path}/kernelbot.toml"
    assert line.startswith(f"wrong: sandbox: {file}: there is no sandbox nope  ->  known: auto, ")
    assert line.endswith(f"; or take sandbox out of {file}")


def test_a_sandbox_without_walls_where_walls_are_required(doctor, monkeypatch):
    monkeypatch.setenv("KERNELBOT_SANDBOX", "process")
    code, [line] = doctor("")
    assert code == 3
    assert line.startswith("wrong: sandbox: KERNELBOT_SANDBOX: sandbox process has no walls")
    assert doctor("require_sandbox = false")[1] == []


@pytest.mark.parametrize("url", ["nonsense", "nonsense:///x", "tinydb://x"])
def test_a_url_that_no_store_can_have(doctor, call, tmp_path, url):
    code, [line] = doctor(f'store = "{url}"')
    assert code == 3
    assert line.startswith(f"wrong: store: {tmp_path}/kernelbot.toml: ")
    assert line.endswith("  ->  write tinydb:///folder")
    seen = json.loads(call("doctor", "--json")[1])
    assert seen["ok"] is False
    assert [one["name"] for one in seen["findings"] if one["kind"] == "settings" and not one["ok"]] == ["store"]


def test_a_board_that_is_damaged(doctor, sound, call, kernel, tmp_path):
    text = f'store = "tinydb://{tmp_path}/kept"'
    assert doctor(text) == (sound, [])
    assert not (tmp_path / "kept").exists(), "looking makes nothing"
    assert call("submit", "twice", kernel)[0] == 0
    assert doctor(text) == (sound, [])
    [board] = (tmp_path / "kept/boards/twice").glob("*.json")
    board.write_bytes(board.read_bytes()[:-20])
    code, [line] = doctor(text)
    assert code == 3
    assert line.startswith(f"wrong: store: {board}: is damaged: ")
    assert "  ->  restore it from a backup" in line


@pytest.mark.parametrize(
    ("name", "meant"), [("STROE", "STORE"), ("REQURE_SANDBOX", "REQUIRE_SANDBOX"), ("TRACE_PLUGIN", "TRACE_PLUGINS")]
)
def test_a_misspelt_variable(doctor, monkeypatch, name, meant):
    monkeypatch.setenv(f"KERNELBOT_{name}", "x")
    code, [line] = doctor("")
    assert code == 3
    assert line == f"wrong: KERNELBOT_{name}: no variable of that name is read  ->  write KERNELBOT_{meant}"


def test_variables_of_others_are_no_mistake(doctor, sound, monkeypatch):
    for name in ("BOT_STORE", "STORAGE", "CACHE_FOLDER"):
        monkeypatch.setenv(f"KERNELBOT_{name}", "x")
    assert doctor("") == (sound, [])
