"""The embedded store where it can hurt: several writers, a kill in the middle of a write, damaged files, odd names."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest
from filelock import FileLock

from kernelbot_core import InfrastructureError, UserError
from kernelbot_core.conformance import sample
from kernelbot_store_tinydb import TinyStore, _board, _files

TIMES = {"small": 1e-3, "large": 2e-3}
WRITER = """
import sys
from kernelbot_core.conformance import sample
from kernelbot_store_tinydb import TinyStore
url, who, count = sys.argv[1:]
store = TinyStore(url)
print("ready", flush=True)
for number in range(int(count)):
    store.add_run(sample.entry(f"{who}-{number}", who), sample.run(f"{who}-{number}", {"small": 1e-3}))
"""


@pytest.fixture
def url(tmp_path):
    return f"tinydb://{tmp_path}/kept"


@pytest.fixture
def store(url):
    return TinyStore(url)


def writer(url, who, count):
    command = [sys.executable, "-c", WRITER, url, who, str(count)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def board_file(store):
    (path,) = (store.root / "boards").rglob("*.json")
    return path


def add(store, name="e1", **more):
    return store.add_run(sample.entry(name, "ada", **more), sample.run(f"run-{name}", TIMES))


def test_four_processes_store_fifty_entries_each_and_none_is_lost(store, url):
    writers = [writer(url, f"w{number}", 50) for number in range(4)]
    for process in writers:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said
    assert {e.id for e in store.entries("conformance")} == {f"w{w}-{n}" for w in range(4) for n in range(50)}


def test_a_kill_in_the_middle_of_a_write_leaves_a_readable_board(store, url):
    add(store, "before")
    for round_number in range(3):
        process = writer(url, f"k{round_number}", 100_000)
        goal = len(store.entries("conformance")) + 3
        deadline = time.monotonic() + 60
        while len(store.entries("conformance")) < goal:  # it is in the thick of it
            assert time.monotonic() < deadline
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        found = TinyStore(url).entries("conformance")
        assert len(found) >= goal
        assert add(TinyStore(url), f"after{round_number}").runs  # the lock of the dead is free


def test_a_write_that_fails_half_way_leaves_the_old_file(store, monkeypatch):
    add(store, "old")
    before = board_file(store).read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InfrastructureError, match="No space left"):
        add(store, "new")
    monkeypatch.undo()
    assert board_file(store).read_bytes() == before
    assert [path.suffix for path in board_file(store).parent.iterdir() if path.suffix != ".json"] == [".lock"]


@pytest.mark.parametrize(
    "damage", [b"", b'{"entries": {"1": {"id"', b"[]", b'{"entries": {"1": {"id": "x"}}}', b"\xff\xfe\x00"]
)
def test_a_damaged_board_is_named(store, damage):
    add(store)
    path = board_file(store)
    path.write_bytes(damage)
    with pytest.raises(UserError, match="damaged") as caught:
        store.entries("conformance", "cpu")
    assert str(path) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("what", "value"), [("median", 0), ("median", -1e308), ("p99", -1), ("baseline", 0), ("resolution", -0.1)]
)
def test_a_board_with_a_time_that_is_none_is_damaged(store, what, value):
    add(store)
    path = board_file(store)
    document = msgspec.json.decode(path.read_bytes())
    next(iter(document["entries"].values()))["runs"][0]["results"][0][what] = value
    path.write_bytes(msgspec.json.encode(document))
    with pytest.raises(UserError, match=rf"damaged.*{what}"):
        store.entries("conformance", "cpu")


def test_a_damaged_board_is_not_overwritten(store):
    add(store)
    board_file(store).write_bytes(b"half a fi")
    with pytest.raises(UserError):
        add(store, "e2")
    assert board_file(store).read_bytes() == b"half a fi"


def test_a_damaged_report_is_named(store):
    store.put_report(sample.report("aa01", TIMES))
    path = store.root / "reports" / "aa01.json"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match="damaged") as caught:
        store.report("aa01")
    assert str(path) in caught.value.message


def test_a_report_of_another_schema_is_refused(store):
    made = msgspec.to_builtins(sample.report("aa01", TIMES)) | {"schema": "kernelbot.report/99"}
    (store.root / "reports" / "aa01.json").write_bytes(msgspec.json.encode(made))
    with pytest.raises(UserError, match=r"kernelbot\.report/99"):
        store.report("aa01")


def test_the_only_report_is_not_found_by_an_empty_id(store):
    store.put_report(sample.report("aa01", TIMES))
    assert store.report("") is None


def test_a_whole_id_wins_over_longer_ones(store):
    for name in ("aa", "aa01"):
        store.put_report(sample.report(name, TIMES))
    assert store.report("aa").id == "aa"


def test_a_report_with_an_id_that_is_a_path_is_refused(store):
    with pytest.raises(UserError):
        store.put_report(sample.report("../aa01", TIMES))


ODD = [
    "..",
    ".",
    "",
    "/",
    "a/b",
    "H100 (SXM)",
    "x" * 300,
    "y" * 300,
    "Grafik·Karte",
    "%",
    "%%",
    "a%2Fb",
    "con.json",
    "a@b",
]


def test_any_label_has_a_board_of_its_own(store):
    for label in ODD:
        add(store, f"e-{label}", gpu=label)
    assert sorted(store.gpus("conformance")) == sorted(ODD)
    for label in ODD:
        assert [entry.id for entry in store.entries("conformance", label)] == [f"e-{label}"]
    assert len(store.entries("conformance")) == len(ODD)
    assert {path.parent.parent for path in store.root.rglob("*.json")} == {store.root / "boards"}


def test_any_problem_has_a_folder_of_its_own(store):
    for problem in ODD:
        entry = msgspec.structs.replace(sample.entry(f"e-{problem}", "ada"), problem=problem)
        store.add_run(entry, sample.run("r", TIMES))
    assert sorted(store.problems()) == sorted(ODD)
    for problem in ODD:
        assert [entry.problem for entry in store.entries(problem)] == [problem]


def test_the_same_run_is_not_counted_twice_but_a_known_entry_keeps_its_first_moment(store):
    store.add_run(sample.entry("e1", "ada", day=1), sample.run("r1", TIMES))
    stored = store.add_run(sample.entry("e1", "ada", day=2), sample.run("r2", TIMES))
    assert stored.submitted == "2026-01-01T00:00:00+00:00"
    assert [run.report for run in stored.runs] == ["r1", "r2"]
    assert store.add_run(sample.entry("e1", "ada", day=3), sample.run("r2", TIMES)) == stored


def test_a_large_board_warns_once(store, caplog, monkeypatch):
    monkeypatch.setattr(_board, "MANY", 3)
    with caplog.at_level(logging.WARNING):
        add(store, "e1")
        add(store, "e2")
        assert caplog.messages == []
        add(store, "e3")
        add(store, "e4")
    assert len(caplog.messages) == 1
    assert "3 entries" in caplog.messages[0]
    assert "store copy" in caplog.messages[0]


def test_a_lock_that_is_never_given_back_is_the_machines_fault(store, monkeypatch):
    add(store)
    monkeypatch.setattr(_board, "WAIT_S", 0.05)
    with FileLock(f"{board_file(store)}.lock"), pytest.raises(InfrastructureError, match="held by another process"):
        add(store, "e2")


@pytest.mark.parametrize("tail", ["relative/folder", "", "/a\0b", "/dev/null/kept"])
def test_a_url_that_leads_nowhere_is_one_clear_line(tail):
    with pytest.raises(UserError) as caught:
        TinyStore(f"tinydb://{tail}")
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_url_may_have_blanks_and_percent_signs(tmp_path):
    store = TinyStore(f"tinydb://{tmp_path}/my%20board")
    assert store.root == tmp_path / "my board"


def test_files_being_written_are_not_seen(store):
    store.put_report(sample.report("aa01", TIMES))
    add(store)
    (store.root / "reports" / ".aa02.json.0123abcd.tmp").write_bytes(b"{")
    board_file(store).with_name(".gpu.json").write_bytes(b"{")
    assert list(store.reports()) == ["aa01"]
    assert list(store.gpus("conformance")) == ["cpu"]


@pytest.mark.parametrize("text", ODD)
def test_names_are_safe(text):
    name = _files.file_name(text)
    assert 0 < len(name) < 200
    assert not set(name) & set("/\\.:\0 ")
    assert _files.name_text(name) in (text, None)
