"""Stores: the same behaviour from each, whatever is underneath, also with several processes writing."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kernelbot_core.conformance import sample
from kernelbot_core.errors import UserError
from kernelbot_core.interfaces.store import Store

TIMES = {"small": 1e-3, "large": 2e-3}
WRITERS, RUNS = 4, 8

Open = Callable[[], Store]


@pytest.fixture
def url(store_class: type[Store], tmp_path: Path) -> str:
    """An empty store: a folder, or what ``KERNELBOT_CONFORMANCE_<SCHEME>`` names (it must be empty)."""
    named = f"KERNELBOT_CONFORMANCE_{store_class.scheme.upper()}"
    chosen = os.environ.get(named)
    address = chosen or f"{store_class.scheme}://{tmp_path}/board"
    try:
        store_class(address).close()
    except UserError as exc:
        if chosen:
            raise
        pytest.skip(f"{store_class.scheme} needs {named}=URL of an empty store: {exc.message}")
    return address


@pytest.fixture
def reopen(store_class: type[Store], url: str) -> Iterator[Open]:
    """Opens the store anew, as another process would."""
    opened: list[Store] = []

    def again() -> Store:
        opened.append(store_class(url))
        return opened[-1]

    yield again
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Open) -> Store:
    """The store, opened."""
    return reopen()


def test_an_opened_store_exists(store: Store, store_class: type[Store], url: str) -> None:
    """Readers ask before they open, so that a misspelt URL leaves nothing behind."""
    store.close()
    assert store_class.exists(url)


def test_reports_come_back_whole(store: Store, reopen: Open) -> None:
    """By id, from another process too, and written twice they are still one."""
    report = sample.report("0123456789abcdef", TIMES)
    store.put_report(report)
    store.put_report(report)
    assert store.report(report.id) == report
    assert reopen().report(report.id) == report


def test_reports_are_found_by_a_prefix_that_fits_one(store: Store) -> None:
    """An ambiguous prefix finds nothing rather than something."""
    for name in ("aabb01", "aabb02", "cc01"):
        store.put_report(sample.report(name, TIMES))
    found = store.report("cc")
    assert found is not None
    assert found.id == "cc01"
    assert store.report("aabb") is None
    assert store.report("dd") is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "*", "a/b", "a\0b"])
def test_an_odd_id_finds_nothing(store: Store, name: str) -> None:
    """Ids come from a command line."""
    store.put_report(sample.report("aa01", TIMES))
    store.put_report(sample.report("ab01", TIMES))
    assert store.report(name) is None
    assert store.source(name) is None


@pytest.mark.parametrize("text", ["", "x = 1\n", "a\r\nb\tc\N{SNOWMAN}\n", "tail without newline"])
def test_sources_come_back_byte_for_byte(store: Store, reopen: Open, text: str) -> None:
    """Under the sha256 of the text."""
    key = store.put_source(text)
    assert key == hashlib.sha256(text.encode()).hexdigest()
    assert store.put_source(text) == key
    assert store.source(key) == text
    assert reopen().source(key) == text


def test_runs_of_one_entry_are_pooled(store: Store, reopen: Open) -> None:
    """The second run joins the first; what is returned is what is stored."""
    first = store.add_run(sample.entry("e1", "ada"), sample.run("r1", TIMES))
    second = store.add_run(sample.entry("e1", "ada"), sample.run("r2", TIMES))
    assert [run.report for run in first.runs] == ["r1"]
    assert [run.report for run in second.runs] == ["r1", "r2"]
    assert list(reopen().entries("conformance")) == [second]


def test_the_same_run_twice_is_one(store: Store) -> None:
    """Copying from store to store may be repeated."""
    for _ in range(2):
        stored = store.add_run(sample.entry("e1", "ada"), sample.run("r1", TIMES))
    assert [run.report for run in stored.runs] == ["r1"]


def test_an_entry_that_does_not_count_says_why_whatever_is_added(store: Store, reopen: Open) -> None:
    """A maintainer's word holds for later runs of the same code, until it is taken back."""
    assert store.set_invalid(sample.entry("e1", "ada"), "no such entry") is None
    first = store.add_run(sample.entry("e1", "ada"), sample.run("r1", TIMES))
    assert first.invalid == ""
    store.set_invalid(first, "reads the clock")
    assert reopen().add_run(sample.entry("e1", "ada"), sample.run("r2", TIMES)).invalid == "reads the clock"
    again = store.set_invalid(first, "")
    assert again is not None
    assert (again.invalid, [run.report for run in again.runs]) == ("", ["r1", "r2"])
    assert list(reopen().entries("conformance")) == [again]


def test_everything_can_be_listed(store: Store) -> None:
    """For copying: problems with entries, and ids of all reports."""
    assert (list(store.problems()), list(store.reports())) == ([], [])
    store.put_report(sample.report("aa01", TIMES))
    store.put_report(sample.report("ab02", TIMES))
    store.add_run(sample.entry("e1", "ada"), sample.run("aa01", TIMES))
    store.add_run(sample.entry("e2", "bob", gpu="H100-SXM"), sample.run("ab02", TIMES))
    assert list(store.problems()) == ["conformance"]
    assert set(store.reports()) == {"aa01", "ab02"}


def test_entries_are_found_by_problem_and_gpu(store: Store) -> None:
    """Boards never mix devices."""
    store.add_run(sample.entry("e1", "ada", gpu="cpu"), sample.run("r1", TIMES))
    store.add_run(sample.entry("e2", "ada", gpu="H100-SXM"), sample.run("r2", TIMES))
    assert {entry.id for entry in store.entries("conformance")} == {"e1", "e2"}
    assert {entry.id for entry in store.entries("conformance", "H100-SXM")} == {"e2"}
    assert set(store.gpus("conformance")) == {"cpu", "H100-SXM"}


def test_nothing_is_found_where_nothing_is(store: Store) -> None:
    """Asking an empty store is no error."""
    assert list(store.entries("unknown")) == []
    assert list(store.entries("unknown", "cpu")) == []
    assert list(store.gpus("unknown")) == []


def test_an_open_store_sees_what_others_write(store: Store, reopen: Open) -> None:
    """No stale cache."""
    assert list(store.entries("conformance")) == []
    reopen().add_run(sample.entry("e1", "ada"), sample.run("r1", TIMES))
    assert [entry.id for entry in store.entries("conformance")] == ["e1"]


def test_processes_writing_at_once_lose_nothing(store: Store, store_class: type[Store], url: str) -> None:
    """Every run of every process is there afterwards, in common entries and in own ones."""
    path = f"{store_class.__module__}:{store_class.__qualname__}"
    command = [sys.executable, "-m", "kernelbot_core.conformance.writer", path, url]
    writers = [
        subprocess.Popen([*command, str(number), str(RUNS)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for number in range(WRITERS)
    ]
    for writer in writers:
        said, _ = writer.communicate(timeout=120)
        assert writer.returncode == 0, said.decode()
    entries = {entry.id: entry for entry in store.entries("conformance")}
    assert len(entries) == 1 + WRITERS * RUNS
    wanted = {f"{writer}-{number}" for writer in range(WRITERS) for number in range(RUNS)}
    assert sorted(run.report for run in entries["common"].runs) == sorted(wanted)


def test_what_cannot_be_opened_is_a_clear_error(store_class: type[Store]) -> None:
    """One line for the person who wrote the URL."""
    with pytest.raises(UserError) as caught:
        store_class(f"{store_class.scheme}:///dev/null/board")
    assert caught.value.message
