"""A sandbox that cannot be: every command that judges says who names it."""

from __future__ import annotations

import pytest

COMMANDS = [
    ("run", "twice", "kernel.py"), ("submit", "twice", "kernel.py"), ("queue", "add", "twice", "kernel.py"),
    ("pack", "check", "twice", "--no-samples"),
]  # fmt: skip


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_the_variable_is_named(call, kernel, world, monkeypatch, argv):
    monkeypatch.setenv("KERNELBOT_SANDBOX", "nope")
    code, _, err = call(*argv)
    assert code == 2
    assert err.startswith("error: KERNELBOT_SANDBOX: there is no sandbox nope\nhint: known: auto, ")
    assert err.endswith("; or take sandbox out of KERNELBOT_SANDBOX\n")
    assert world.jobs == []


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_the_file_is_named(call, kernel, tmp_path, argv):
    (tmp_path / "kernelbot.toml").write_text('sandbox = "nope"\n')
    assert call(*argv)[2].startswith(f"error: {tmp_path}/kernelbot.toml: there is no sandbox nope\n")


@pytest.mark.parametrize("argv", COMMANDS[:2], ids=" ".join)
@pytest.mark.parametrize("variable", ["", "process", "other"])
def test_the_option_is_named(call, kernel, monkeypatch, argv, variable):
    monkeypatch.setenv("KERNELBOT_SANDBOX", variable)
    code, _, err = call(*argv, "--sandbox", "nope")
    assert code == 2
    assert err.startswith("error: --sandbox: there is no sandbox nope\nhint: known: auto, ")
    assert "take sandbox out" not in err


def test_so_is_who_names_one_without_walls(call, kernel, monkeypatch):
    assert call("run", "twice", kernel, "--sandbox", "process")[2].startswith("error: --sandbox: sandbox process has")
    monkeypatch.setenv("KERNELBOT_SANDBOX", "process")
    assert call("run", "twice", kernel)[2].startswith("error: KERNELBOT_SANDBOX: sandbox process has no walls")
