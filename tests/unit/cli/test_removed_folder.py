"""The current folder has been removed: nothing of it is found, everything else works, and there is no traceback."""

from __future__ import annotations

import pytest

READERS = [
    ("leaderboard", "twice"), ("history", "twice"), ("me",), ("queue", "list"), ("admin", "audit"), ("problems",),
]  # fmt: skip


@pytest.fixture(autouse=True)
def gone(world, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()


@pytest.mark.parametrize("argv", READERS, ids=" ".join)
def test_what_reads_elsewhere_works(call, argv):
    code, _, err = call(*argv)
    assert (code, err) == (0, "")


def test_a_file_elsewhere_is_judged(call, kernel, packs, tmp_path):
    assert call("run", "twice", kernel, "--json", tmp_path / "out.json")[0] == 0
    assert call("run", packs / "twice", kernel)[0] == 0
    assert call("submit", "twice", kernel)[0] == 0


@pytest.mark.parametrize(
    "argv",
    [("run", "twice", "kernel.py"), ("submit", "twice", "kernel.py", "--json", "out.json"), ("run", "./twice", "k.py"),
     ("pack", "check", "."), ("pack", "check", "./twice"), ("template", "twice", "--lang", "torch", "-o", "x.py"),
     ("show", "abc"), ("leaderboard", "twice", "--store", "tinydb://here"), ("queue", "add", "twice", "kernel.py")],
    ids=" ".join,
)  # fmt: skip
def test_what_would_be_in_it_is_not_there(call, argv):
    code, _, err = call(*argv)
    assert code == 2
    assert err.startswith("error: ")
