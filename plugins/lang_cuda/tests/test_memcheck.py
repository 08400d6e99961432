"""What compute-sanitizer prints, as its manual shows it, and the tool where it is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelbot_lang_cuda import Cuda, _memcheck

# The tool's own examples (Compute Sanitizer manual, memcheck_demo), with what a program prints in between.
MANUAL = """========= COMPUTE-SANITIZER
Mallocing memory
========= Invalid __global__ write of size 4 bytes
=========     at unaligned_kernel()+0x100 in memcheck_demo.cu:34
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x7cc43aa00001 is misaligned
=========     and is inside the nearest allocation at 0x7cc43aa00000 of size 4 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: run_unaligned() [0xacd4] in memcheck_demo
=========         Host Frame: main [0xae61] in memcheck_demo
=========
Running unaligned_kernel: no error
========= Invalid __global__ write of size 4 bytes
=========     at out_of_bounds_function()+0xb0 in memcheck_demo.cu:39
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x87654320 is out of bounds
=========     and is 137,179,965,340,896 bytes before the nearest allocation at 0x7cc43a800000 of size 1,024 bytes
=========         Device Frame: out_of_bounds_kernel()+0x30 in memcheck_demo.cu:44
=========
Running out_of_bounds_kernel: no error
========= ERROR SUMMARY: 2 errors
"""
# Another version: `Access to`, no line information, one error of two threads.
THREADS = "".join(
    f"""========= Invalid __global__ read of size 4 bytes
=========     at col_kernel(const unsigned int *, unsigned int *)+0x490
=========     by thread ({thread},0,0) in block (0,0,0)
=========     Access to 0x7f71b9e0136{thread} is out of bounds
=========     and is {thread + 1} bytes after the nearest allocation at 0x7f71b9e00a00 of size 2400 bytes
"""
    for thread in range(3)
)


def test_manual() -> None:
    assert _memcheck.Memcheck().findings(MANUAL) == [
        (
            "memcheck_demo.cu:34: Invalid __global__ write of size 4 bytes in unaligned_kernel(): misaligned, "
            "inside the nearest allocation of size 4 bytes"
        ),
        (
            "memcheck_demo.cu:39: Invalid __global__ write of size 4 bytes in out_of_bounds_function(): out of bounds, "
            "before the nearest allocation of size 1,024 bytes"
        ),
    ]


def test_threads_are_counted() -> None:
    assert _memcheck.Memcheck().findings(THREADS) == [
        (
            "Invalid __global__ read of size 4 bytes in col_kernel(const unsigned int *, unsigned int *): "
            "out of bounds, "
            "after the nearest allocation of size 2400 bytes (and 2 more like it)"
        )
    ]


def test_nothing_found() -> None:
    assert (
        _memcheck.Memcheck().findings("hello\n========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n") == []
    )


def test_older_place() -> None:
    text = "========= Invalid __shared__ read of size 8 bytes\n=========     at k():0x160 in k.cu:6\n"
    assert _memcheck.Memcheck().findings(text) == ["k.cu:6: Invalid __shared__ read of size 8 bytes in k()"]


def test_where_the_tool_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    tool = tmp_path / "compute-sanitizer/compute-sanitizer"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    assert _memcheck.find_tool() != tool, "it cannot be executed"
    tool.chmod(0o755)
    assert _memcheck.find_tool() == tool
    command = _memcheck.Memcheck().command(["python", "-m", "x"])
    assert command[:3] == [str(tool), "--tool", "memcheck"]
    assert command[-3:] == ["python", "-m", "x"]


def test_missing_tool_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_memcheck, "find_tool", lambda: None)
    here = _memcheck.Memcheck().available()
    assert not here.ok
    assert "pip install nvidia-cuda-sanitizer-api" in here.fix


def test_only_on_a_gpu() -> None:
    assert Cuda().sanitizer("cpu") is None
    assert isinstance(Cuda().sanitizer("gpu"), _memcheck.Memcheck)
