"""Compile caches: frozen by one process of a job, read-only for the next, and never in its way."""

import os

import pytest

from kernelbot_core.memory import put, read_only_memfd, sealed_memfd, taken
from kernelbot_core.worker.caches import Caches


@pytest.fixture
def process(tmp_path, monkeypatch):
    """``process(name)`` -> caches and working folder of a process."""

    def start(name):
        work = tmp_path / name
        work.mkdir()
        monkeypatch.chdir(work)
        monkeypatch.setenv("TRITON_CACHE_DIR", str(work / "triton"))
        monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(work / "inductor"))
        monkeypatch.setenv("CUDA_CACHE_PATH", "/elsewhere")
        return Caches(), work

    return start


@pytest.fixture
def memory():
    fd = sealed_memfd("test", 1 << 20)
    yield fd
    os.close(fd)


def test_the_next_process_finds_what_the_first_compiled(process, memory):
    first, work = process("first")
    (work / "triton/key").mkdir(parents=True)
    (work / "triton/key/kernel.cubin").write_bytes(b"\x7fELF")
    (work / "notes.txt").write_text("not a cache")
    first.freeze(memory)
    frozen = read_only_memfd("frozen", taken(memory))
    second, there = process("second")
    second.fill(frozen)
    assert [str(path.relative_to(there)) for path in there.rglob("*") if path.is_file()] == ["triton/key/kernel.cubin"]
    with pytest.raises(PermissionError):
        os.pwrite(frozen, b"x", 0)
    os.close(frozen)


def test_what_is_there_already_stays(process, memory):
    first, work = process("first")
    (work / "triton").mkdir()
    (work / "triton/kernel").write_text("old")
    first.freeze(memory)
    (work / "triton/kernel").write_text("own")
    first.fill(memory)
    assert (work / "triton/kernel").read_text() == "own"


@pytest.mark.parametrize("data", [b"", b"no bundle", b"\xff" * 100])
def test_nothing_useful_is_no_cache(process, memory, data):
    second, work = process("second")
    put(memory, data)
    second.fill(memory)
    assert list(work.iterdir()) == []


def test_what_does_not_fit_is_left_out(process, memory):
    first, work = process("first")
    (work / "inductor").mkdir()
    (work / "inductor/big").write_bytes(bytes(2 << 20))
    first.freeze(memory)
    assert len(taken(memory)) == 0
