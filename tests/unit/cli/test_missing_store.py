"""A store that is named and not there: readers say so and leave no folder behind, writers make it."""

from __future__ import annotations

import pytest

READERS = [
    ("leaderboard", "twice"), ("history", "twice"), ("show", "abc"), ("compare", "twice", "a", "b"), ("me",),
    ("queue", "list"), ("queue", "position", "abc"), ("queue", "cancel", "abc"), ("queue", "rerun", "abc"),
    ("admin", "bans"), ("admin", "audit"), ("admin", "unban", "ada"), ("admin", "board", "twice"),
    ("admin", "reinstate", "twice", "abc"), ("admin", "rejudge", "twice", "abc"),
]  # fmt: skip


@pytest.mark.parametrize("argv", READERS, ids=" ".join)
@pytest.mark.parametrize("where", ["no/such", "empty"])
def test_a_reader_names_it_and_makes_nothing(call, tmp_path, argv, where):
    (tmp_path / "empty").mkdir()
    url = f"tinydb://{tmp_path}/{where}"
    code, out, err = call(*argv, "--store", url)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: there is no store at {url}\n")
    assert not (tmp_path / "no").exists()
    assert not list((tmp_path / "empty").iterdir())


def test_a_copy_of_nothing_is_an_error(call, tmp_path):
    source, target = f"tinydb://{tmp_path}/nothere", f"tinydb://{tmp_path}/copy"
    code, out, err = call("store", "copy", source, target)
    assert (code, out) == (2, "")
    assert f"there is no store at {source}" in err
    assert not (tmp_path / "nothere").exists()
    assert not (tmp_path / "copy").exists()


NEW = [("leaderboard", "twice"), ("queue", "list"), ("submit", "twice", "kernel.py"), ("show", "abc")]


@pytest.mark.parametrize("argv", NEW, ids=" ".join)
def test_the_store_of_the_setting_may_be_new_and_is_told(call, kernel, tmp_path, monkeypatch, argv):
    url = f"tinydb://{tmp_path}/fresh"
    monkeypatch.setenv("KERNELBOT_STORE", url)
    note = f"note: KERNELBOT_STORE: there was no store at {url}; made a new one\n"
    assert call(*argv)[2].startswith(note)
    assert note not in call(*argv)[2]


def test_a_store_that_cannot_be_made_is_no_new_one(call, kernel, monkeypatch):
    monkeypatch.setenv("KERNELBOT_STORE", "tinydb:///dev/null/x")
    assert "note: " not in call("submit", "twice", kernel)[2]


def test_nobody_has_named_the_default(call, tmp_path, monkeypatch):
    monkeypatch.delenv("KERNELBOT_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    code, out, err = call("leaderboard", "twice")
    assert (code, err) == (0, "")
    assert "nobody stands here yet" in out


def test_an_empty_board_names_what_was_asked_for(call):
    assert "twice: nobody stands here with --lang torch yet" in call("leaderboard", "twice", "--lang", "torch")[1]


def test_a_writer_makes_it_and_readers_find_it(call, kernel, tmp_path):
    url = f"tinydb://{tmp_path}/new"
    assert call("submit", "twice", kernel, "--user", "ada", "--store", url)[0] == 0
    assert "ada" in call("leaderboard", "twice", "--store", url)[1]


def test_a_template_makes_no_folder(call, tmp_path):
    code, _, err = call("template", "twice", "--lang", "torch", "-o", tmp_path / "no" / "x.py")
    assert code == 2
    assert "there is no folder" in err
    assert not (tmp_path / "no").exists()
