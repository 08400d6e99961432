from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kernelbot_core.errors import PackError, UsageError
from kernelbot_core.interfaces.packs import PackSource
from kernelbot_core.packs.find import find_problems, resolve

PACKS = Path(__file__).parents[3] / "problem_packs"


@pytest.fixture
def source():
    return PackSource(name="builtin", folder=PACKS)


@pytest.fixture
def other(tmp_path):
    """A second source with a pack that has a name of its own, and one that has not."""
    for name in ("vector_add", "vector_sub"):
        shutil.copytree(PACKS / "vector_add", tmp_path / "packs" / name)
    (tmp_path / "packs" / "notes").mkdir()
    return PackSource(name="other", folder=tmp_path / "packs")


def test_packs_of_all_sources_in_their_order(source, other):
    assert [p.name for p in find_problems([source, other])] == [
        "matmul", "softmax", "vector_add", "vector_add", "vector_sub",
    ]  # fmt: skip


def test_a_source_that_is_not_there_has_no_packs(tmp_path):
    assert find_problems([PackSource(name="gone", folder=tmp_path / "gone")]) == []


def test_by_name(source, other):
    assert resolve("softmax", [source]).name == "softmax"
    assert resolve("vector_sub", [source, other]).path == str(other.folder / "vector_sub")


@pytest.mark.parametrize("path", ["./vector_sub", "vector_sub/", "../packs/vector_sub"])
def test_by_path(other, monkeypatch, path):
    monkeypatch.chdir(other.folder)
    assert resolve(path, []).path == str(other.folder / "vector_sub")


def test_the_folder_one_is_in(other, monkeypatch):
    monkeypatch.chdir(other.folder / "vector_sub" / "samples")
    assert resolve("..", []).name == "vector_sub"


@pytest.mark.parametrize(
    ("name", "hint"), [("vector_ad", "did you mean vector_add"), ("zzz", "`kernelbot problems` lists them")]
)
def test_an_unknown_name(source, name, hint):
    with pytest.raises(UsageError, match=f"there is no problem {name}") as caught:
        resolve(name, [source])
    assert hint in caught.value.hint


def test_a_folder_here_is_named_with_a_slash(source, other, monkeypatch):
    monkeypatch.chdir(other.folder)
    with pytest.raises(UsageError) as caught:
        resolve("vector_sub", [source])
    assert caught.value.hint == "the folder here is ./vector_sub"


def test_two_packs_of_one_name_are_both_named(source, other):
    with pytest.raises(UsageError, match="two packs are called vector_add") as caught:
        resolve("vector_add", [source, other])
    assert str(PACKS / "vector_add") in caught.value.message
    assert str(other.folder / "vector_add") in caught.value.message


def test_a_path_without_a_pack(tmp_path):
    with pytest.raises(UsageError, match="is not a problem pack"):
        resolve(f"{tmp_path}/", [])


def test_a_broken_pack_says_what_is_broken(other):
    (other.folder / "vector_sub" / "problem.toml").write_text("format = 1\n")
    with pytest.raises(PackError, match=r"problem\.toml: title: is missing"):
        resolve("vector_sub", [other])
