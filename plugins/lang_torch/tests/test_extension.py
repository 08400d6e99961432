"""``load_inline``: compiled in the builder, only loaded in the worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbot_core import Build, Problem
from kernelbot_lang_torch import Torch, _extension
from kernelbot_lang_torch._diagnose import Listing, inline_sources

BuildIt = Callable[..., tuple[Build, Path]]

# pybind11 alone instead of torch/extension.h: 3 s instead of 30
SOURCE = '''
import torch
from torch.utils import cpp_extension

CPP = """
#include <pybind11/pybind11.h>
#include <cstdint>
void add(int64_t a, int64_t b, int64_t out, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
        reinterpret_cast<float*>(out)[i] = reinterpret_cast<float*>(a)[i] + reinterpret_cast<float*>(b)[i];
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("add", add); }
"""
module = cpp_extension.load_inline("fast_add", [CPP], no_implicit_headers=True)

def solve(a, b, out, n):
    module.add(a.data_ptr(), b.data_ptr(), out.data_ptr(), n)
'''

# leaves what it saw beside the builder's source
ARCH = """
if os.path.isdir(os.environ.get("TORCH_EXTENSIONS_DIR", "")):
    with open(os.path.dirname(os.environ["TORCH_EXTENSIONS_DIR"]) + "/arch", "w") as file:
        file.write(os.environ["TORCH_CUDA_ARCH_LIST"])
"""


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "submission", raising=False)


def test_worker_loads_without_compiling(
    build: BuildIt, problem_named: Callable[[str], Problem], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import torch
    from torch.utils import cpp_extension

    monkeypatch.setattr(_extension, "SLOW_S", float("inf"))
    before = dict(os.environ)
    built, out = build(Torch(), SOURCE.replace("import torch\n", "import torch, os\n", 1) + ARCH, target="sm_90a")
    assert built.ok, built.text
    assert built.notes == []
    assert dict(os.environ) == before
    assert (out.parent / "build/arch").read_text() == "9.0a"
    (kept,) = out.rglob("*.so")
    assert kept.parent.parent == out / "extensions"
    for path in [*out.rglob("*"), out]:  # as the worker sees it
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")  # no compiler, no ninja
    monkeypatch.delitem(sys.modules, "submission")
    original = cpp_extension.load_inline
    solve = Torch().load(out, built, "fp32", problem_named("vector_add").signature)
    assert cpp_extension.load_inline is original
    a, b, result = torch.arange(5.0), torch.ones(5), torch.zeros(5)
    solve(a, b, result, 5)
    assert result.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_compiler_error_is_on_the_participants_line(build: BuildIt) -> None:
    broken = SOURCE.replace("int64_t i = 0;", "int65_t i = 0;")
    line = next(n for n, text in enumerate(broken.splitlines(), start=1) if "int65_t" in text)
    built, out = build(Torch(), broken)
    assert not built.ok
    assert f"my_kernel.py:{line}:" in built.text
    assert "int65_t" in built.text
    assert "Traceback" not in built.text
    assert "main.cpp" not in built.text
    assert not list(out.rglob("*.so"))


def test_failure_without_a_compiler_is_left_to_the_worker(build: BuildIt) -> None:
    source = "from torch.utils.cpp_extension import load_inline\nraise SystemExit(3)\ndef solve(a, b, n): return a\n"
    built, _ = build(Torch(), source)
    assert built.ok
    assert built.returns_value
    assert built.notes == ["not importable without a device (SystemExit: 3); extensions are compiled in the worker"]


def test_cuda_sources_on_a_torch_without_cuda(build: BuildIt) -> None:
    import torch

    if torch.version.cuda is not None:
        pytest.skip("this torch has CUDA")
    source = (
        "from torch.utils.cpp_extension import load_inline\n"
        "m = load_inline(name='x', cpp_sources='', cuda_sources='__global__ void k() {}')\n"
        "def solve(a, b, n): return a\n"
    )
    built, _ = build(Torch(), source)
    assert (built.ok, built.text) == (
        False, "cuda_sources need a torch that is built with CUDA; the one here is for CPU only",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "target", "home", "said"),
    [
        ({"cuda_sources": "x"}, "cpu", "/cuda", "runs on the CPU; see --device"),
        ({"sources": ["a.cpp", "b.cu"]}, "sm_90a", None, "set CUDA_HOME"),
        ({"sources": "a.cpp"}, "cpu", None, ""),
        ({"cuda_sources": "x"}, "sm_90a", "/cuda", ""),
    ],
)
def test_cuda_sources_on_a_torch_with_cuda(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, object], target: str, home: str | None, said: str
) -> None:
    import torch
    from torch.utils import cpp_extension

    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", home)
    if not said:
        return _extension._refuse_impossible(arguments, target)
    with pytest.raises(RuntimeError, match="cuda_sources need") as caught:
        _extension._refuse_impossible(arguments, target)
    assert said in str(caught.value)
    return None


@pytest.mark.parametrize(("target", "arch"), [("sm_90a", "9.0a"), ("sm_89", "8.9"), ("sm_120f", "12.0")])
def test_architecture_without_a_gpu(tmp_path: Path, target: str, arch: str) -> None:
    with _extension._environment(target, tmp_path):
        assert os.environ["TORCH_CUDA_ARCH_LIST"] == arch


def test_time_of_a_slow_extension_is_told(build: BuildIt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_extension, "SLOW_S", 0.0)
    (note,) = build(Torch(), SOURCE)[0].notes  # it has done without torch's headers already
    assert note.startswith("fast_add took ")
    assert note.endswith(" s to compile")


def test_lines_of_both_generated_files(tmp_path: Path) -> None:
    first, second, kernels = "int x;\nint y;", "int z;", "// escaped\\n\nfloat f;"
    text = f'A = """{first}"""\nB = """{second}"""\nC = "elsewhere"\n'
    sources = inline_sources({"cpp_sources": [first, second], "cuda_sources": kernels})
    message = (
        f"Error building extension 'x': [1/2] c++ -c {tmp_path}/main.cpp\nFAILED: [code=1] main.o \n"
        f"{tmp_path}/main.cpp:3:5: error: two\n{tmp_path}/main.cpp:4:1: error: three\n"
        f"{tmp_path}/cuda.cu(5): error: four\nninja: build stopped: subcommand failed.\n"
    )
    assert Listing("k.py", text).readable(message, sources, tmp_path).splitlines() == [
        "k.py:2:5: error: two", "k.py:3:1: error: three", "cuda_sources(2): error: four",
    ]  # fmt: skip
