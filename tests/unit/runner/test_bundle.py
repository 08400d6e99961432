"""What comes out of a sandbox is a stranger's, every byte of it."""

import contextlib
import os
import struct

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core.errors import CaseFailure
from kernelbot_core.memory import put, sealed_memfd, taken
from kernelbot_core.runner.bundle import unpack
from kernelbot_core.worker.bundle import pack

SIZE = 1 << 20


@pytest.fixture
def memory():
    fd = sealed_memfd("test", SIZE)
    yield fd
    os.close(fd)


@pytest.fixture
def places(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    return inside, outside


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_come_out_as_they_were(memory, places):
    inside, outside = places
    (inside / "deep/er").mkdir(parents=True)
    (inside / "solve.so").write_bytes(b"\x7fELF")
    (inside / "deep/er/text").write_text("x")
    pack(inside, memory)
    digest = unpack(memory, outside)
    assert files(outside) == files(inside) == {"solve.so": b"\x7fELF", "deep/er/text": b"x"}
    (inside / "solve.so").write_bytes(b"\x7fELG")
    pack(inside, memory)
    assert unpack(memory, outside / "again") != digest


def test_links_pipes_and_devices_stay_where_they_are(memory, places):
    inside, outside = places
    (inside / "link").symlink_to("/etc/passwd")
    (inside / "folder").symlink_to("/etc")
    os.mkfifo(inside / "pipe")
    (inside / "file").write_text("only this")
    pack(inside, memory)
    unpack(memory, outside)
    assert files(outside) == {"file": b"only this"}


def test_too_much_does_not_fit(memory, places):
    inside, _ = places
    (inside / "big").write_bytes(bytes(SIZE))
    with pytest.raises(ValueError, match="more than"):
        pack(inside, memory)


@pytest.mark.parametrize(
    "name", ["../up", "/etc/cron.d/x", "a/../../b", "a//b", "./a", ".", "", "a\0b", "a\nb", "a/" * 40 + "a", "x" * 2000]
)  # fmt: skip
def test_names_that_lead_out_are_refused(memory, places, name):
    put(memory, msgspec.msgpack.encode({"files": [{"name": name, "data": b"x"}]}))
    with pytest.raises(CaseFailure, match="the build left"):
        unpack(memory, places[1])
    assert files(places[0].parent) == {}


def test_the_same_name_twice_and_files_as_folders_are_refused(memory, places):
    for names in (["a", "a"], ["a", "a/b"]):
        put(memory, msgspec.msgpack.encode({"files": [{"name": name, "data": b"x"} for name in names]}))
        with pytest.raises(CaseFailure):
            unpack(memory, places[1])
        (places[1] / "a").unlink()


def test_nothing_left_is_said(memory, places):
    with pytest.raises(CaseFailure, match="nothing"):
        unpack(memory, places[1])


def test_a_length_beyond_the_memory_is_nothing(memory):
    os.pwrite(memory, struct.pack("<Q", SIZE), 0)
    assert len(taken(memory)) == 0
    os.pwrite(memory, struct.pack("<Q", 2**64 - 1), 0)
    assert len(taken(memory)) == 0


@given(data=st.binary(max_size=400))
def test_any_bytes_are_refused_or_unpacked(data, tmp_path_factory):
    folder, fd = tmp_path_factory.mktemp("any"), sealed_memfd("test", SIZE)
    os.pwrite(fd, struct.pack("<Q", len(data)) + data, 0)
    with contextlib.suppress(CaseFailure):
        unpack(fd, folder / "in")
    os.close(fd)
    assert {path.name for path in folder.iterdir()} <= {"in"}
