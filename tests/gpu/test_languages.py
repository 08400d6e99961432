"""Every form of a submission, from its text to a passed report, on the first NVIDIA GPU: through the command line."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbot_core.model.report import Report, load
from kernelbot_core.plugins import registry

pytestmark = pytest.mark.gpu

KERNEL = """__global__ void add(const float* a, const float* b, float* out, int64_t n) {
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
"""
LAUNCH = "//!kernelbot launch add<<<cdiv(n, 256), 256>>>(a, b, out, n)\n"
SOLVE = """extern "C" void solve(const float* a, const float* b, float* out, int64_t n, cudaStream_t stream) {
    add<<<(n + 255) / 256, 256, 0, stream>>>(a, b, out, n);
}
"""
TEMPLATE = """//!kernelbot launch clear<<<1, 32>>>(out)
//!kernelbot launch add<KB_T, 128><<<(min(cdiv(n, 128), 65535), 1), (128, 1, 1), 64 * 1024>>>(a, b, out, n);
__global__ void clear(KB_T* out) { if (threadIdx.x == 0) out[0] = KB_T(1e30f); }
template <class T, int BLOCK>
__global__ void add(const T* a, const T* b, T* out, int n) {
    extern __shared__ T staged[];
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        staged[16000 + threadIdx.x] = a[i];
        out[i] = staged[16000 + threadIdx.x] + b[i];
    }
}
"""
CUPY = '''import cupy
CODE = r"""
extern "C" __global__ void add(const float* a, const float* b, float* out, long long n) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
"""
add = MAKE

def solve(a, b, out, n):
    assert cupy.cuda.get_current_stream().ptr == 0
    add(((n + 255) // 256,), (256,), (cupy.asarray(a), cupy.from_dlpack(b), cupy.asarray(out), n))
'''
INLINE = '''import torch
from torch.utils.cpp_extension import load_inline

CUDA = """
__global__ void add_kernel(const float* a, const float* b, float* out, int64_t n) {
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
void add(torch::Tensor a, torch::Tensor b, torch::Tensor out) {
    const int64_t n = a.numel();
    add_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n);
}
"""
module = load_inline(
    "fast_add", "void add(torch::Tensor a, torch::Tensor b, torch::Tensor out);", CUDA, functions=["add"]
)

def solve(a, b, out, n):
    module.add(a, b, out)
'''
TRITON = """import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=w) for b in (256, 1024) for w in (4, 8)], key=["n"])
@triton.heuristics({"EVEN": lambda given: given["n"] % given["BLOCK"] == 0})
@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + at, tl.load(a + at) + tl.load(b + at))
    else:
        inside = at < n
        tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)

def solve(a, b, out, n):
    add[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](a, b, out, n)
"""
COMPILE = "import torch\n\n@torch.compile\ndef solve(a, b, n):\n    return a + b\n"
NEEDS: dict[str, Callable[[], object]] = {
    "nvcc": lambda: shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").exists(),
    "cupy": lambda: importlib.util.find_spec("cupy"),
    "ninja": lambda: importlib.util.find_spec("ninja") or shutil.which("ninja"),
    "triton": lambda: importlib.util.find_spec("triton"),
}
Judge = Callable[..., Report]


@pytest.fixture
def judge(needs_gpu: None, tmp_path: Path) -> Judge:
    """``judge(name, source, *options)``: the report of ``kernelbot run vector_add``, at the smallest size, in fp32."""

    def run(name: str, source: str, *options: str) -> Report:
        file, out = tmp_path / name, tmp_path / "report.json"
        file.write_text(source)
        command = [sys.executable, "-m", "kernelbot_core", "run", "vector_add", str(file), "--device", "cuda:0"]
        command += ["--size", "small", "--dtype", "fp32", "--unsafe", "--json", str(out), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert out.exists(), done.stdout + done.stderr
        return load(out.read_bytes())

    return run


@pytest.mark.parametrize(
    ("name", "source", "needs", "language"),
    [
        pytest.param("k.cu", KERNEL + SOLVE, ["nvcc"], "cuda", id="shared_object"),
        pytest.param("k.cu", LAUNCH + KERNEL, [], "cuda", id="launch_line"),
        pytest.param("k.cu", TEMPLATE, [], "cuda", id="launch_lines_shared_memory"),
        pytest.param("k.py", CUPY.replace("MAKE", 'cupy.RawKernel(CODE, "add")'), ["cupy"], "torch", id="RawKernel"),
        pytest.param(
            "k.py", CUPY.replace("MAKE", 'cupy.RawModule(code=CODE).get_function("add")'), ["cupy"], "torch",
            id="RawModule",
        ),
        pytest.param("k.py", INLINE, ["nvcc", "ninja"], "torch", id="load_inline"),
        pytest.param("k.py", TRITON, ["triton"], "triton", id="autotune"),
        pytest.param("k.py", COMPILE, ["triton"], "torch", id="compile"),
    ],
)  # fmt: skip
def test_passes(judge: Judge, name: str, source: str, needs: list[str], language: str) -> None:
    for need in needs:
        if not NEEDS[need]():
            pytest.skip(f"needs {need}")
    report = judge(name, source, "--mode", "benchmark")
    assert (report.status, report.language) == ("passed", language), report
    assert not any("compiled in the worker" in note for case in report.cases for note in case.notes)
    assert any(case.kind == "bench" and case.stats is not None for case in report.cases)


@pytest.mark.parametrize("form", ["shared_object", "launch_line"])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("out[i] =", "out[i + (i == n - 1)] ="), "Invalid __global__ write of size 4 bytes"),
        (("a[i] + b[i]", "a[i] + b[i + 1] - b[i + 1] + b[i]"), "Invalid __global__ read of size 4 bytes"),
    ],
    ids=["write", "read"],
)
def test_sanitize_names_the_line(judge: Judge, form: str, change: tuple[str, str], said: str) -> None:
    checker = registry().languages["cuda"].sanitizer("gpu")
    assert checker is not None
    if not checker.available().ok:
        pytest.skip(checker.available().why)
    source = KERNEL.replace(*change)
    source = LAUNCH + source if form == "launch_line" else source + SOLVE
    line = next(n for n, text in enumerate(source.splitlines(), start=1) if "a[i]" in text)
    report = judge("k.cu", source, "--mode", "test", "--sanitize")
    assert report.status == "crashed", report
    assert f"k.cu:{line}: {said}" in report.reason
    assert "out of bounds" in report.reason


def test_sanitize_finds_nothing_in_a_right_kernel(judge: Judge) -> None:
    checker = registry().languages["cuda"].sanitizer("gpu")
    assert checker is not None
    if not checker.available().ok:
        pytest.skip(checker.available().why)
    report = judge("k.cu", LAUNCH + KERNEL, "--mode", "test", "--sanitize")
    assert report.status == "passed", report
