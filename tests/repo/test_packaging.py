"""The distribution holds what the checkout holds: looked at in the built wheel, not in the editable install."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest

INSPECT = """
import importlib.metadata, importlib.resources, json, sys
from kernelbot_core.plugins import registry
files = {}
for point in importlib.metadata.distribution("kernelbot").entry_points:
    point.load()
    files[f"{point.group}:{point.name}"] = sys.modules[point.module].__file__
packs = importlib.resources.files("problem_packs")
json.dump({
    "files": files,
    "packs": sorted(p.name for p in packs.iterdir() if (p / "problem.toml").is_file()),
    "sources": {s.name: str(s.folder) for s in registry().pack_sources},
    "broken": [str(b) for b in registry().broken],
}, sys.stdout)
"""


def modules(root):
    return {path.name: path for path in sorted((root / "plugins").glob("*/src/*")) if path.is_dir()}


def test_every_plugin_folder_is_packaged_and_has_an_entry_point(root, pyproject):
    packages = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {str(path.relative_to(root)) for path in modules(root).values()} <= set(packages)
    points = pyproject["project"]["entry-points"]["kernelbot"]
    assert set(modules(root)) <= set(points.values())
    for name, module in points.items():
        assert module == "problem_packs" or module == f"kernelbot_{name}", f"{name} should be called as its folder"
    gone = [package for package in packages if not (root / package).exists()]
    assert gone == []


def test_every_plugin_is_known_to_mypy(root, pyproject):
    known = {path.removeprefix("$MYPY_CONFIG_FILE_DIR/") for path in pyproject["tool"]["mypy"]["mypy_path"]}
    assert {str(path.parent.relative_to(root)) for path in modules(root).values()} <= known


def test_the_installed_entry_points_are_those_of_pyproject(pyproject):
    project = pyproject["project"]
    wanted = {("console_scripts", name, value) for name, value in project["scripts"].items()}
    for group, points in project["entry-points"].items():
        wanted |= {(group, name, value) for name, value in points.items()}
    installed = {(p.group, p.name, p.value) for p in importlib.metadata.distribution("kernelbot").entry_points}
    assert installed == wanted, "pyproject.toml has changed: run `pip install -e .` again"


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    """The wheel, built from the checkout."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(root)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def clean_python(wheel, tmp_path_factory):
    """Interpreter of a fresh environment: the wheel is installed, its needs are seen through a .pth file."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return python


def test_the_wheel_holds_types_schema_and_packs_but_no_tests(wheel, root):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"kernelbot_core/py.typed", "kernelbot_core/model/report.schema.json", "kernelbot_pytest.py"} <= names
    assert {f"{module}/py.typed" for module in modules(root)} <= names
    packed = {str(path.relative_to(root)) for path in (root / "problem_packs").rglob("problem.*")}
    assert packed
    assert packed <= names
    assert not [name for name in names if name.split("/")[0] in {"tests", "docs", "examples", "benchmarks"}]


def test_every_entry_point_of_the_wheel_can_be_imported(clean_python, pyproject, root, tmp_path):
    ran = subprocess.run([clean_python, "-I", "-c", INSPECT], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    seen = json.loads(ran.stdout)
    assert seen["broken"] == []
    points = sum(len(points) for points in pyproject["project"]["entry-points"].values())
    assert len(seen["files"]) == points + len(pyproject["project"]["scripts"])
    home = str(clean_python.parent.parent)
    assert {name: file for name, file in seen["files"].items() if not file.startswith(home)} == {}
    assert seen["packs"] == sorted(path.parent.name for path in (root / "problem_packs").glob("*/problem.toml"))
    assert all(folder.startswith(home) for folder in seen["sources"].values())


def test_the_command_of_the_wheel_runs(clean_python, pyproject, tmp_path):
    command = [clean_python.parent / "kernelbot", "plugins", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    plugins = json.loads(ran.stdout)["plugins"]
    assert {one["name"] for one in plugins} == set(pyproject["project"]["entry-points"]["kernelbot"])
