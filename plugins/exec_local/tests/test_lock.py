"""One job per device at a time, and who waits is told so."""

from __future__ import annotations

import tempfile
import threading

import pytest

from kernelbot_exec_local._lock import device_lock

LONG = 30


@pytest.fixture(autouse=True)
def locks(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def phases(events):
    return [event.phase for event in events]


def test_nobody_waits_where_nobody_is():
    heard = []
    for _ in range(2):
        with device_lock("cuda:0", heard.append):
            pass
    assert heard == []


def test_the_second_job_on_a_device_waits_and_says_so():
    told, inside, order, heard = threading.Event(), [], [], []

    def hear(event):
        heard.append(event)
        told.set()

    def second():
        with device_lock("cuda:0", hear):
            assert inside == []
            order.append("second")

    with device_lock("cuda:0", heard.append):
        inside.append(1)
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(LONG)
        order.append("first")
        inside.remove(1)
    thread.join(LONG)
    assert phases(heard) == ["queued"]
    assert order == ["first", "second"]


def test_another_device_does_not_wait():
    heard = []
    with device_lock("cuda:0", heard.append), device_lock("cuda:1", heard.append):
        pass
    assert heard == []


def test_a_job_that_fails_gives_the_device_back():
    heard = []
    for _ in range(2):
        with pytest.raises(RuntimeError, match="a bug"), device_lock("cpu", heard.append):
            raise RuntimeError("a bug")
    assert heard == []
