"""A place that cannot be written is named before anything is judged, and what is there stays as it is."""

from __future__ import annotations

import os

import pytest

PLACES = ["/proc/x.json", "/dev/null/x.json", "no/such/x.json", "packs", f"{'x' * 300}.json"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "argv",
    [("run", "twice", "kernel.py", "--json"), ("submit", "twice", "kernel.py", "--json"),
     ("selftest", "--device", "cpu", "--out"), ("template", "twice", "--lang", "torch", "-o")],
    ids=lambda argv: argv[0],
)  # fmt: skip
def test_it_is_one_line_and_nothing_runs(call, kernel, world, argv, place):
    code, out, err = call(*argv, place)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {argv[-1]} {place}: ")
    assert "Traceback" not in err
    assert world.jobs == []


def test_a_file_that_is_there_is_kept_when_the_rest_is_wrong(call, kernel, tmp_path):
    (tmp_path / "old.json").write_text("old")
    assert call("run", "thrice", kernel, "--json", "old.json")[0] == 2
    assert call("run", "thrice", kernel, "--json", "new.json")[0] == 2
    assert (tmp_path / "old.json").read_text() == "old"
    assert not (tmp_path / "new.json").exists()


def test_a_device_and_a_link_to_a_new_file_are_good_places(call, kernel, tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert call("run", "twice", kernel, "--json", "link.json")[0] == 0
    assert (tmp_path / "real.json").stat().st_size
    assert (tmp_path / "link.json").is_symlink()
    assert call("run", "twice", kernel, "--json", os.devnull)[0] == 0


@pytest.mark.parametrize("command", ["run", "submit"])
@pytest.mark.parametrize("other", ["kernel.py", "./kernel.py", "hard.json", "soft.json"])
def test_the_file_that_is_judged_is_not_written_over(call, kernel, world, tmp_path, command, other):
    before = kernel.read_bytes()
    (tmp_path / "hard.json").hardlink_to(kernel)
    (tmp_path / "soft.json").symlink_to(kernel)
    code, out, err = call(command, "twice", "kernel.py", "--json", other)
    assert (code, out) == (2, "")
    place = other.removeprefix("./")
    assert err == f"error: --json {place}: would overwrite kernel.py, which is read\nhint: name another file\n"
    assert kernel.read_bytes() == before
    assert world.jobs == []


@pytest.mark.parametrize("command", ["run", "submit"])
@pytest.mark.parametrize("name", ["problem.toml", "problem.py"])
def test_the_problem_is_not_written_over(call, kernel, world, packs, command, name):
    before = (packs / "twice" / name).read_bytes()
    code, _, err = call(command, "packs/twice", "kernel.py", "--json", f"packs/twice/{name}")
    assert code == 2
    assert "which is read" in err
    assert (packs / "twice" / name).read_bytes() == before
    assert world.jobs == []
