"""What a process behind walls is shown of the interpreter."""

from __future__ import annotations

import sys

import pytest

from kernelbot_core.runner import visible


@pytest.fixture
def shown(monkeypatch):
    def look(**changed):
        for name, value in changed.items():
            monkeypatch.setattr(sys, name, value)
        visible.interpreter.cache_clear()
        return visible.interpreter()

    yield look
    visible.interpreter.cache_clear()


def test_each_link_from_the_program_to_the_interpreter(shown, tmp_path):
    real, between, program = tmp_path / "base/bin/python3", tmp_path / "one/python3", tmp_path / "two/bin/python"
    for path in (real, between, program):
        path.parent.mkdir(parents=True)
    real.touch()
    between.symlink_to(real)
    program.symlink_to(between)
    places = shown(executable=str(program))
    assert {str(tmp_path / "base"), str(between), str(real)} <= set(places)
    assert str(between.parent) not in places, "what lies beside a link is nobody's business"


def test_packages_of_another_environment(shown, tmp_path):
    other, mine = tmp_path / "other/lib/site-packages", tmp_path / "mine"
    for folder in (other, mine):
        folder.mkdir(parents=True)
    (other / "editable.pth").write_text(f"{mine}\n")
    places = shown(path=[*sys.path, str(other), str(tmp_path)])
    assert {str(other), str(mine)} <= set(places)
    assert str(tmp_path) not in places
