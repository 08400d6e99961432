"""Whether installed packages are compiled, and the command that compiles them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from kernelbot_core.engine.bytecode import WITNESSES, check_bytecode, compiled

FAKES = {"fake_tensors": "deep/part.py", "fake_tests": "__init__.py", "fake_absent": "__init__.py"}


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages, with a space in its path, that nothing was compiled in."""
    folder = tmp_path / "an env/site-packages"
    return fill(folder, monkeypatch)


def fill(folder, monkeypatch):
    (folder / "fake_tensors/deep").mkdir(parents=True)
    (folder / "fake_tests").mkdir()
    for file in ("fake_tensors/__init__.py", "fake_tensors/deep/part.py", "fake_tests/__init__.py"):
        (folder / file).write_text("A = 1\n")
    monkeypatch.syspath_prepend(folder)
    return folder


def test_the_command_of_the_finding_puts_it_right(site, monkeypatch):
    found = check_bytecode(FAKES)
    assert not found.ok
    assert "fake_tensors, fake_tests" in found.why
    words = shlex.split(found.fix)
    assert words == [sys.executable, "-I", "-m", "compileall", "-q", "-j", "0", str(site)]
    # A user's own variables must neither hide the lack nor lead the command elsewhere.
    monkeypatch.setattr(sys, "pycache_prefix", str(site / "elsewhere"))
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(site / "elsewhere"), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(found.fix, shell=True, check=True, env=env)
    assert not (site / "elsewhere").exists()
    assert check_bytecode(FAKES).ok
    assert not any(name in sys.modules for name in FAKES)


def test_a_compiled_file_of_another_source_is_none(site):
    subprocess.run([sys.executable, "-I", "-m", "compileall", "-q", str(site)], check=True)
    file = site / "fake_tests/__init__.py"
    os.utime(file, (1, 1))
    assert not compiled(file)
    assert "compiles them anew (seconds each): fake_tests" in check_bytecode(FAKES).why


def test_one_that_holds_by_a_hash_does_not_go_stale(site):
    subprocess.run(
        [sys.executable, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(site)], check=True
    )
    os.utime(site / "fake_tests/__init__.py", (1, 1))
    assert check_bytecode(FAKES).ok


def test_a_source_tree_is_left_alone(tmp_path, monkeypatch):
    fill(tmp_path / "checkout", monkeypatch)
    assert check_bytecode(FAKES).ok


def test_the_witnesses_are_files_that_exist():
    import importlib.util
    from pathlib import Path

    for name, file in WITNESSES.items():
        spec = importlib.util.find_spec(name)
        if spec is not None:
            assert (Path(spec.submodule_search_locations[0]) / file).is_file(), name
