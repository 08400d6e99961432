"""Packs: whole and readable. That the judge agrees with the samples is ``kernelbot pack check``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from kernelbot_core.engine.devices import all_devices
from kernelbot_core.model.expression import evaluate
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry


def test_it_loads_and_keeps_its_version(pack: Path) -> None:
    """Twice the same identity: boards hang on it."""
    first, second = load_problem(pack), load_problem(pack)
    assert first == second
    assert first.name == pack.name
    assert len(first.version) == 64


def test_it_has_a_statement(pack: Path) -> None:
    """README.md, as the participant reads it."""
    assert len((pack / "README.md").read_text().split()) >= 30


@pytest.mark.parametrize("kind", ["right", "wrong", "cheat"])
def test_it_has_samples_in_known_languages(pack: Path, kind: str) -> None:
    """At least one of each kind, and no file that nobody can build."""
    suffixes = tuple(s for language in registry().languages.values() for s in language.suffixes)
    samples = [path for path in (pack / "samples" / kind).iterdir() if not path.name.startswith(("_", "."))]
    assert samples
    assert [path.name for path in samples if not path.name.endswith(suffixes)] == []


def test_it_brings_no_pytest_configuration(pack: Path) -> None:
    """A conftest.py would run inside the judge."""
    names = ("conftest.py", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
    assert [str(path) for name in names for path in pack.glob(f"*{name}")] == []


def test_some_cell_is_ranked_on_every_kind_of_device_it_names(pack: Path) -> None:
    """A size list that leaves a device without a score would give an empty board."""
    problem = load_problem(pack)
    for kind in {kind for cell in problem.cells for kind in cell.devices}:
        assert [c for c in problem.cells if c.ranked and kind in c.devices and c.dtype == problem.board_dtype]
    assert all_devices(registry())


def test_work_is_positive_and_grows(pack: Path) -> None:
    """Bytes moved are at least the outputs."""
    problem = load_problem(pack)
    for cell in problem.cells:
        assert cell.bytes >= sum(problem.signature.nbytes(cell.dims, cell.binding)[len(problem.signature.inputs) :])
        assert cell.flops >= 0
        assert evaluate(problem.file.work.bytes, cell.dims, cell.binding) == cell.bytes


def test_its_code_can_be_imported(pack: Path) -> None:
    """problem.py has what the judge calls."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    code = load_code(pack)
    problem = load_problem(pack)
    assert all(callable(getattr(code, name)) for name in ("inputs", "reference", *problem.file.properties))
