"""The language ``cuda``: real nvcc, small files."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbot_core import Build, Problem, c_prototype
from kernelbot_lang_cuda import Cuda
from kernelbot_lang_cuda import _compile as compiling
from kernelbot_lang_cuda import _nvrtc as nvrtc
from kernelbot_lang_cuda import _toolkit as toolkit
from kernelbot_lang_cuda._signature import header, macros

BuildIt = Callable[..., tuple[Build, Path]]
nvcc = pytest.mark.skipif(toolkit.find_nvcc() is None or shutil.which("g++") is None, reason="needs nvcc and g++")
RIGHT = """
__global__ void add(const KB_T* a, const KB_T* b, KB_T* out, int64_t n) {
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t stream) {
    add<<<(n + 255) / 256, 256, 0, stream>>>(a, b, out, n);
}
"""
PROTOTYPE = 'extern "C" void solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t stream)'


@nvcc
def test_one_library_for_each_dtype(build: BuildIt) -> None:
    built, out = build(Cuda(), RIGHT)
    assert (built.ok, built.text, built.dtypes) == (True, "", ["fp32", "fp16", "bf16"])
    assert sorted(path.name for path in out.iterdir()) == ["solve-bf16.so", "solve-fp16.so", "solve-fp32.so"]
    for path in out.iterdir():
        assert b"sm_90a" in path.read_bytes()  # the letter stays


@nvcc
def test_label_and_type_macros(build: BuildIt) -> None:
    source = """
#if defined(KB_fp16) + defined(KB_bf16) != 1 || defined(KB_fp32)
#error "labels"
#endif
static_assert(sizeof(KB_T) == 2, "type");
"""
    assert build(Cuda(), source + RIGHT, wanted=["fp16", "bf16"])[0].ok
    text = build(Cuda(), source + RIGHT, wanted=["fp32"])[0].text
    assert 'my_kernel.cu:3:2: error: #error "labels"' in text


@nvcc
def test_syntax_error_has_its_own_line_once(build: BuildIt) -> None:
    built, out = build(Cuda(), RIGHT.replace("if (i < n)", "if (i < n"))
    assert not built.ok
    assert built.text.count('my_kernel.cu(4): error: expected a ")"') == 1
    assert str(out.parent) not in built.text
    assert not list(out.iterdir())


@nvcc
def test_a_dtype_that_does_not_build(build: BuildIt) -> None:
    source = RIGHT.replace("out[i] = a[i] + b[i]", "out[i] = float4_of(a[i])").replace(
        "__global__", '#ifdef KB_fp32\n__device__ float float4_of(float x) { return x; }\n#endif\n__global__', 1
    )  # fmt: skip
    built, _ = build(Cuda(), source)
    assert not built.ok
    assert built.why == '[fp16, bf16] my_kernel.cu(7): error: identifier "float4_of" is undefined'
    assert built.text.endswith("to offer only what builds, write: //!kernelbot dtypes fp32")
    narrowed, out = build(Cuda(), "//!kernelbot dtypes fp32\n" + source)
    assert (narrowed.ok, narrowed.dtypes) == (True, ["fp32"])
    assert [path.name for path in out.iterdir()] == ["solve-fp32.so"]


@nvcc
@pytest.mark.parametrize(
    "solve",
    [
        'extern "C" int solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t s) { return 0; }',
        'extern "C" void solve(const KB_T* a, KB_T* out, int64_t n) {}',
        'extern "C" void solve(KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t s) {}',
        "void solve(const KB_T* a, const KB_T* b, KB_T* out, int n, cudaStream_t s) {}",
    ],
)
def test_wrong_signature_is_an_error_on_its_line(build: BuildIt, solve: str) -> None:
    built, _ = build(Cuda(), f"\n\n{solve}\n", wanted=["fp32"])
    assert not built.ok
    assert built.why.startswith("my_kernel.cu(3): error: ")
    assert PROTOTYPE in built.text
    assert "overloaded function" not in built.why


@nvcc
def test_a_file_of_any_name_is_cuda_once_it_is_said_to_be(build: BuildIt) -> None:
    built, _ = build(Cuda(), RIGHT, name="my_kernel.py", wanted=["fp32"])
    assert (built.ok, built.text) == (True, "")
    assert 'my_kernel.py(4): error: expected a ")"' in build(
        Cuda(), RIGHT.replace("if (i < n)", "if (i < n"), name="my_kernel.py", wanted=["fp32"]
    )[0].text  # fmt: skip


@nvcc
@pytest.mark.parametrize("line", ["import torch", "from torch import nn, Tensor", "def solve(a, b, out, n):"])
@pytest.mark.parametrize("name", ["my_kernel.cu", "my_kernel.py"])
def test_python_is_named(build: BuildIt, name: str, line: str) -> None:
    built, _ = build(Cuda(), f"# adds\n{line}\n    pass\n", name=name, wanted=["fp32"])
    assert not built.ok
    assert (
        built.why
        == f"{name}(2): error: this is Python, not CUDA C++: {line}; for Python name it .py and leave --lang cuda out"
    )
    assert built.text.count("is Python") == 1


@nvcc
def test_python_in_a_comment_is_none(build: BuildIt) -> None:
    assert build(Cuda(), f"/*\nimport torch\n*/\n{RIGHT}", wanted=["fp32"])[0].ok


@nvcc
def test_extern_c_may_be_left_out(build: BuildIt) -> None:
    assert build(Cuda(), RIGHT.replace('extern "C" ', ""), wanted=["fp32"])[0].ok


@nvcc
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("int helper(int x) { return x; }\n", "my_kernel.cu: error: there is no function solve()"),
        (
            "__global__ void add_kernel(float* x) {}\n",
            "there is no function solve() that launches add_kernel; write one, or a line like //!kernelbot launch",
        ),
    ],
)
def test_no_solve(build: BuildIt, source: str, said: str) -> None:
    built, _ = build(Cuda(), source, wanted=["fp32"])
    assert not built.ok
    assert said in built.why
    assert built.text.endswith(PROTOTYPE)


@nvcc
def test_warnings_are_kept(build: BuildIt) -> None:
    built, _ = build(Cuda(), RIGHT.replace("    add<<<", "    int unused;\n    add<<<"), wanted=["fp32", "fp16"])
    assert built.ok
    assert built.text.count("my_kernel.cu(8): warning ") == 1
    assert "Remark" not in built.text


@nvcc
def test_one_build_does_not_reach_the_next(build: BuildIt) -> None:
    before = compiling._flags("sm_90a")
    compiling._flags("sm_90a").append("-DLEAK")
    build(Cuda(), "#define KB_LEAK 1\n" + RIGHT, wanted=["fp32"])
    assert build(Cuda(), "#ifdef KB_LEAK\n#error leak\n#endif\n" + RIGHT, wanted=["fp32"])[0].ok
    assert compiling._flags("sm_90a") == before


@nvcc
def test_long_text_is_capped(build: BuildIt) -> None:
    noisy = "".join(f"#warning number {n:06d} {'x' * 200}\n" for n in range(600))
    built, _ = build(Cuda(), noisy + RIGHT, wanted=["fp32"])
    assert built.ok
    assert len(built.text) == 1 << 16
    assert "number 000000" in built.text


@nvcc
def test_load_calls_without_a_gpu_and_says_so(build: BuildIt, problem_named: Callable[[str], Problem]) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("about machines without a GPU")
    built, out = build(Cuda(), RIGHT, wanted=["fp32"])
    solve = Cuda().load(out, built, "fp32", problem_named("vector_add").signature)
    with pytest.raises(RuntimeError, match=r"CUDA error left by solve\(\): CUDA driver version is insufficient"):
        solve(torch.ones(4), torch.ones(4), torch.ones(4), 4)


@nvcc
def test_arguments_arrive(build: BuildIt, problem_named: Callable[[str], Problem]) -> None:
    import torch

    source = """
static_assert(sizeof(*static_cast<decltype(__nv_fp8_e4m3{})*>(nullptr)) == 1, "fp8 is there");
extern "C" void solve(const KB_T* x, double* y, int32_t* at, int32_t rows, float alpha, cudaStream_t stream) {
    y[0] = alpha * rows;
    at[0] = reinterpret_cast<const unsigned char*>(x)[0];
    at[1] = stream == nullptr;
}
"""
    built, out = build(Cuda(), source, problem="scaled")
    assert built.ok, built.text
    x, y, at = (
        torch.tensor([7], dtype=torch.uint8),
        torch.zeros(1, dtype=torch.float64),
        torch.zeros(2, dtype=torch.int32),
    )
    solve = Cuda().load(out, built, "fp8_e4m3", problem_named("scaled").signature)
    with contextlib.suppress(RuntimeError):  # without a driver, after the call
        solve(x, y, at, -3, 0.5)
    assert (y.item(), at.tolist()) == (-1.5, [7, 1])


@nvcc
@pytest.mark.parametrize("name", ["vector_add", "matmul", "scaled"])
def test_template_builds_without_a_word(build: BuildIt, problem_named: Callable[[str], Problem], name: str) -> None:
    source = Cuda().template(problem_named(name))
    built, _ = build(Cuda(), source, problem=name)
    assert (built.ok, built.text) == (True, "")
    assert Cuda().detect(source) > 0.8


def test_header_and_macros(problem_named: Callable[[str], Problem]) -> None:
    signature = problem_named("matmul").signature
    assert c_prototype(signature) == (
        'extern "C" void solve(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k, '
        "cudaStream_t stream)"
    )
    mixed = {"T": "bf16", "O": "fp32"}
    assert macros("mixed", mixed) == ["-DKB_mixed", "-DKB_T=__nv_bfloat16", "-DKB_O=float"]
    text = header(signature, mixed)
    assert "cuda_bf16.h" in text
    assert "cuda_fp16.h" not in text
    assert "cuda_fp8.h" not in text


def test_not_run_on_the_cpu() -> None:
    assert Cuda().support("cpu").run == "built, not run: no CUDA device here"
    assert Cuda().support("gpu").run == ""


@pytest.mark.parametrize(
    ("target", "expected"),
    [("sm_90a", "90a"), ("sm_89", "89"), ("sm_120f", "120f"), ("cpu", "90a"), ("", "90a"), ("gfx942", None)],
)
def test_architecture(target: str, expected: str | None) -> None:
    assert compiling.architecture(target) == expected


def test_a_target_that_is_not_cuda(build: BuildIt) -> None:
    built, _ = build(Cuda(), RIGHT, target="gfx942")
    assert (built.ok, built.text) == (False, "CUDA code cannot be built for gfx942")


@pytest.mark.parametrize("line", ["//!kernelbot dtypes fp64", "//!kernelbot nonsense x"])
def test_bad_header_line(build: BuildIt, line: str) -> None:
    built, _ = build(Cuda(), f"{line}\n{RIGHT}")
    assert not built.ok
    assert built.text.startswith("my_kernel.cu: ")


def test_missing_nvcc_is_named(monkeypatch: pytest.MonkeyPatch, build: BuildIt) -> None:
    monkeypatch.setattr(toolkit, "find_nvcc", lambda: None)
    monkeypatch.setattr(nvrtc, "version", lambda: "")
    here = Cuda().available()
    assert not here.ok
    assert "CUDA_HOME" in here.fix
    assert Cuda().toolchain() == {}
    assert build(Cuda(), RIGHT)[0].text == (
        "there is no nvcc here, only kernels with a launch line are built; see `kernelbot doctor`"
    )


def test_nvcc_of_cuda_home_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    own = tmp_path / "bin/nvcc"
    own.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 99.1, V99.1.7'\n")
    own.chmod(0o755)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert toolkit.find_nvcc() == own
    assert toolkit.nvcc_version(own) == "99.1.7"


def test_libraries_are_linked_only_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(toolkit, "_library_folders", lambda nvcc: [tmp_path, tmp_path / "stubs"])
    assert toolkit.link_flags(tmp_path / "nvcc") == ["-Xlinker", "--as-needed"]
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs/libcuda.so").touch()
    (tmp_path / "libcublas.so").touch()
    assert toolkit.link_flags(tmp_path / "nvcc")[2:] == [
        "-L", str(tmp_path / "stubs"), "-lcuda", "-L", str(tmp_path), "-lcublas", "-Xlinker", f"-rpath={tmp_path}",
    ]  # fmt: skip


def test_cutlass_headers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUTLASS_PATH", str(tmp_path))
    (tmp_path / "include/cutlass").mkdir(parents=True)
    assert toolkit.cutlass_folders() == [tmp_path / "include"]
    assert Cuda().toolchain()["cutlass"] == "of unknown version"
    (tmp_path / "include/cutlass/version.h").write_text(
        "#define CUTLASS_MAJOR 4\n#define CUTLASS_MINOR   2\n#define CUTLASS_PATCH 1\n"
    )
    assert Cuda().toolchain()["cutlass"] == "4.2.1"
    monkeypatch.delenv("CUTLASS_PATH")
    monkeypatch.setenv("CUTLASS_HOME", str(tmp_path))
    assert toolkit.cutlass_folders() == [tmp_path / "include"]
    monkeypatch.setenv("CUTLASS_PATH", str(tmp_path))
    assert Cuda().environment("gpu")["CUTLASS_PATH"] == str(tmp_path)


@pytest.mark.parametrize(
    ("source", "least"), [(RIGHT, 0.9), ('extern "C" void solve() {}', 0.5), ("import torch\nk = '__global__'\n", 0.0)]
)
def test_detect(source: str, least: float) -> None:
    assert least <= Cuda().detect(source) <= max(least, 0.1) + 0.1


@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_symbols_of_a_file_that_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "x.so").write_bytes(b"no library")
    assert compiling.exported(tmp_path / "x.so") == frozenset()
