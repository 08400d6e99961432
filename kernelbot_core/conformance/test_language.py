"""Languages: known by their own text, and a program that does not build is an answer, not an accident."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from kernelbot_core.conformance import sample
from kernelbot_core.engine.detect import detect_language
from kernelbot_core.engine.devices import all_devices
from kernelbot_core.interfaces.language import Language, Support
from kernelbot_core.model.build import Build
from kernelbot_core.plugins import registry

NONSENSE = "}} ]) this is a program of no language ((\n"


class Outcome(NamedTuple):
    """What one build did."""

    build: Build
    out: Path
    changed: list[str]
    """Parts of the process that are not as before; they have been put back."""


def build(language: Language, source: str, folder: Path) -> Outcome:
    """Build a source in a fresh folder."""
    work, out = folder / "work", folder / "out"
    work.mkdir(parents=True)
    out.mkdir()
    name = f"kernel{language.suffixes[0]}"
    (work / name).write_text(source)
    environment, cwd, path = dict(os.environ), Path.cwd(), list(sys.path)
    try:
        built = language.build(sample.build_order(type(language), name, target()), work, out)
    finally:
        states = {"environment": os.environ != environment, "folder": Path.cwd() != cwd, "sys.path": sys.path != path}
        for variable in set(os.environ) - set(environment):
            del os.environ[variable]
        os.environ.update(environment)
        os.chdir(cwd)
        sys.path[:] = path
    return Outcome(built, out, [name for name, changed in states.items() if changed])


def target() -> str:
    """What to build for: the best device here."""
    found = registry()
    devices = sorted(all_devices(found), key=lambda d: d.kind != "gpu")
    vendors = {vendor.prefix: vendor for vendor in found.devices.values()}
    return vendors[devices[0].id.partition(":")[0]].target(devices[0]) if devices else "cpu"


@pytest.fixture
def toolchain(language: Language) -> Language:
    """The language, or a skip with its own reason."""
    here = language.available()
    if not here.ok:
        pytest.skip(f"{language.name}: {here.why}")
    return language


def test_name_and_suffixes(language: Language) -> None:
    """They can be typed, and tell files apart."""
    assert re.fullmatch(r"[a-z][a-z0-9_]*", language.name)
    assert language.suffixes
    assert all(re.fullmatch(r"(\.[a-z0-9_+]+)+", suffix) for suffix in language.suffixes)
    assert language.comment.strip()
    assert language.gate in {"stream", "host"}


def test_available_gives_a_reason(language: Language) -> None:
    """What is missing is named together with what helps."""
    here = language.available()
    assert here.ok or (here.why and here.fix)


@pytest.mark.parametrize("source", ["", NONSENSE, "# a comment\n", "\N{SNOWMAN}" * 1000])
def test_detect_is_a_confidence(language: Language, source: str) -> None:
    """In [0, 1] for any text, and never sure about nonsense."""
    confidence = language.detect(source)
    assert 0 <= confidence <= 1
    assert source or confidence < 1


def test_it_knows_its_own_template(language: Language) -> None:
    """A template is of the language, and carries the signature."""
    template = language.template(sample.problem())
    assert language.detect(template) > 0
    assert all(re.search(rf"\b{name}\b", template) for name in sample.problem().signature.arguments)
    assert "solve" in template


def test_it_is_not_greedy(language: Language) -> None:
    """The template of another language that shares a suffix is left to that language."""
    for other in registry().languages.values():
        shared = any(a.endswith(b) or b.endswith(a) for a in language.suffixes for b in other.suffixes)
        if other.name != language.name and shared:
            both = {language.name: language, other.name: other}
            text, file = other.template(sample.problem()), f"kernel{other.suffixes[0]}"
            assert detect_language(file, text, None, both) == other.name, f"it claims the template of {other.name}"


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_support_and_environment(language: Language, kind: str) -> None:
    """Typed answers for both kinds of device."""
    assert isinstance(language.support(kind), Support)  # type: ignore[arg-type]  # any text is a kind here
    environment = language.environment(kind)  # type: ignore[arg-type]  # any text is a kind here
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in environment.items())


def test_toolchain_names_versions(toolchain: Language) -> None:
    """For the report."""
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in toolchain.toolchain().items())


def test_a_template_builds_to_plain_files(toolchain: Language, tmp_path: Path) -> None:
    """Regular files inside the artifact, the entry among them."""
    built, out, _ = build(toolchain, toolchain.template(sample.problem()), tmp_path)
    assert built.ok, built.text
    assert (out / built.entry).is_file()
    assert (out / built.entry).resolve().is_relative_to(out.resolve())
    assert not [path for path in out.rglob("*") if path.is_symlink() or not (path.is_file() or path.is_dir())]


def test_a_broken_source_is_an_answer(toolchain: Language, tmp_path: Path) -> None:
    """``Build(ok=False)`` with text, not an exception: it is the participant's mistake."""
    built, _, _ = build(toolchain, NONSENSE, tmp_path)
    assert not built.ok
    assert built.text.strip()


def test_builds_do_not_affect_each_other(toolchain: Language, tmp_path: Path) -> None:
    """The same source gives the same artifact again after another build, and the process is left as it was."""
    template = toolchain.template(sample.problem())
    first = build(toolchain, template, tmp_path / "1")
    between = build(toolchain, NONSENSE, tmp_path / "2")
    second = build(toolchain, template, tmp_path / "3")
    assert first.changed + between.changed + second.changed == []
    assert (first.build.ok, first.build.entry) == (second.build.ok, second.build.entry)
    assert first.build.dtypes == second.build.dtypes
    assert files(first.out) == files(second.out)


def files(folder: Path) -> list[str]:
    """Names of the files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_class_can_be_made_anywhere(language: Language) -> None:
    """Builder and worker import ``module:Class`` and call it without arguments."""
    cls = type(language)
    assert "." not in cls.__qualname__, "it must lie at the top of its module"
    code = f"from {cls.__module__} import {cls.__name__} as C; assert C().name == {language.name!r}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
