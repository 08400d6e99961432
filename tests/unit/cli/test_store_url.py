"""A URL that no store can have: who says it, what to write instead, and never its password."""

from __future__ import annotations

import pytest

WRONG = [
    ("nonsense", "'nonsense' is no URL of a store"), ("", "'' is no URL of a store"),
    ("sqlite:///x", "sqlite:///x: no store has the scheme sqlite"),
    ("tinydb://x", "tinydb://x: needs an absolute path"),
]  # fmt: skip
COMMANDS = [("leaderboard", "twice"), ("show", "abc"), ("queue", "list"), ("admin", "ban", "eve", "--reason", "x"),
            ("submit", "twice", "kernel.py"), ("queue", "add", "twice", "kernel.py")]  # fmt: skip


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(("url", "says"), WRONG)
def test_the_file_is_named(call, kernel, world, tmp_path, monkeypatch, argv, url, says):
    monkeypatch.delenv("KERNELBOT_STORE")
    (tmp_path / "kernelbot.toml").write_text(f'store = "{url}"\n')
    expected = f"error: {tmp_path}/kernelbot.toml: {says}\nhint: write tinydb:///folder\n"
    assert call(*argv) == (2, "", expected)
    assert world.jobs == []


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_variable_and_option_are_named(call, kernel, monkeypatch, argv):
    monkeypatch.setenv("KERNELBOT_STORE", "nonsense")
    assert call(*argv)[2].startswith("error: KERNELBOT_STORE: 'nonsense' is no URL")
    assert call(*argv, "--store", "other")[2].startswith("error: --store: 'other' is no URL")


@pytest.mark.parametrize(
    "url", ["pg://ann:se@cr/et@host/x", "tinydb://ann:secret@host/x", "pg://host/x?password=secret"]
)
@pytest.mark.parametrize("argv", [*COMMANDS, ("doctor",), ("doctor", "--json")], ids=" ".join)
def test_a_password_is_not_echoed(call, kernel, monkeypatch, argv, url):
    monkeypatch.setenv("KERNELBOT_STORE", url)
    code, out, err = call(*argv)
    assert code in (2, 3)
    assert "***" in out + err
    assert "host/x" in out + err
    assert not [part for part in ("secret", "se@cr", "et@", "cr/et") if part in out + err]


@pytest.mark.parametrize("argv", [("{}", "tinydb:///x"), ("tinydb:///x", "{}"), ("{}", "{}")])
def test_nor_by_a_copy(call, argv):
    code, out, err = call("store", "copy", *(part.format("pg://ann:secret@host/x") for part in argv))
    assert code == 2
    assert "secret" not in out + err
