"""Files of kernels with launch lines: read, checked by the compilers that are here, launched."""

from __future__ import annotations

import ctypes
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbot_core import Build, Problem
from kernelbot_lang_cuda import Cuda, _diagnose, _kernels, _launch, _nvrtc, _toolkit

BuildIt = Callable[..., tuple[Build, Path]]
ADD = """//!kernelbot launch add<<<cdiv(n, 256), 256>>>(a, b, out, n)
__global__ void add(const KB_T* a, const KB_T* b, KB_T* out, int64_t n) {
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
"""
TILES = """//!kernelbot launch tiles<KB_T, 16><<<(cdiv(n, 16), cdiv(m, 16)), (16, 16), 512 * sizeof(T)>>>(c, m, n)
template <class T, int S> __global__ void tiles(KB_O* c, int m, int n) { extern __shared__ char tile[]; c[m] = n; }
"""


@pytest.fixture(params=["nvrtc", "nvcc"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way to build such a file, where it is."""
    if request.param == "nvrtc" and not _nvrtc.version():
        pytest.skip("needs cuda-bindings and NVRTC")
    if request.param == "nvcc":
        if _toolkit.find_nvcc() is None or shutil.which("g++") is None:
            pytest.skip("needs nvcc and g++")
        monkeypatch.setattr(_nvrtc, "version", lambda: "")
    return str(request.param)


def test_one_for_each_dtype(compiler: str, build: BuildIt) -> None:
    built, out = build(Cuda(), ADD)
    assert (built.ok, built.text, built.dtypes) == (True, "", ["fp32", "fp16", "bf16"])
    suffix = {"nvrtc": "*.cubin", "nvcc": "*.so"}[compiler]
    assert len(list(out.glob(suffix))) == 3
    for path in out.glob(suffix):
        assert b"add" in path.read_bytes()


def test_templates_axes_and_shared_memory(compiler: str, build: BuildIt) -> None:
    built, _ = build(Cuda(), TILES, problem="matmul")
    assert (built.ok, built.text) == (True, "")


def test_several_launches(compiler: str, build: BuildIt) -> None:
    source = "//!kernelbot launch zero<<<1, 32>>>(out)\n__global__ void zero(KB_T* out) { out[0] = KB_T(0.f); }\n"
    built, out = build(Cuda(), source + ADD, wanted=["fp32"])
    assert built.ok, built.text
    plan = _kernels.msgspec.json.decode((out / _kernels.PLAN).read_bytes(), type=_kernels.Plan)
    assert [(one.kernel, one.line) for one in plan.launches] == [("zero", 1), ("add", 3)]
    assert [len(names) for names in plan.names.values()] == ([2] if compiler == "nvrtc" else [])


def test_error_has_the_participants_line(compiler: str, build: BuildIt) -> None:
    built, out = build(Cuda(), ADD.replace("a[i] + b[i]", "a[i] + c[i]"))
    assert not built.ok
    assert built.text.count('my_kernel.cu(4): error: identifier "c" is undefined') == 1
    assert str(out.parent) not in built.text
    assert not (out / _kernels.PLAN).exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("(a, b, out, n)\n", "(a, b, out)\n"), "does not fit add when it passes (a, b, out): too few arguments"),
        (("(a, b, out, n)\n", "(a, n, out, b)\n"), "does not fit add when it passes (a, n, out, b): argument of type"),
        (
            ("int64_t n)", "float n)"),
            "does not fit add when it passes (a, b, out, n): a scalar of the launch line has another type in add",
        ),
        (("launch add", "launch sum"), "names a kernel sum, which is not in the file; kernels there: add"),
    ],
)
def test_what_the_launch_line_passes_is_checked(
    compiler: str, build: BuildIt, change: tuple[str, str], said: str
) -> None:
    built, _ = build(Cuda(), ADD.replace(*change, 1), wanted=["fp32"])
    assert not built.ok
    assert said in built.text
    assert built.why.startswith("my_kernel.cu(1): error: the launch line ")


ADD_TAKES = "(const KB_T* a, const KB_T* b, KB_T* out, int64_t n)"


@pytest.mark.parametrize(("passed", "few"), [("a, b, out", "few"), ("a, b, out, n, n", "many")])
def test_a_wrong_number_of_arguments_takes_one_line(compiler: str, build: BuildIt, passed: str, few: str) -> None:
    """Nothing of the code that is generated to find out; warnings about the participant's own lines stay."""
    source = ADD.replace("    if (i", "    int unused;\n    if (i").replace("(a, b, out, n)\n", f"({passed})\n")
    built, _ = build(Cuda(), source)
    assert not built.ok
    why, _, rest = built.text.partition("\n")
    assert why == (
        f"my_kernel.cu(1): error: the launch line does not fit add when it passes ({passed}): too {few} arguments in "
        f"function call; pass one argument of the problem for each of its parameters {ADD_TAKES}"
    )
    assert not [line for line in rest.split("\n") if line and ("unused" not in line and line.strip() != "^")]
    assert compiler == "nvcc" or re.search(r'my_kernel.cu\(4\): warning .*: variable "unused"', rest)


def test_errors_of_the_file_stay_beside_one_of_the_launch_line(compiler: str, build: BuildIt) -> None:
    source = ADD.replace("a[i] +", "q[i] +").replace("(a, b, out, n)\n", "(a, b, out)\n")
    built, _ = build(Cuda(), source)
    heads = [line.partition(": error: ") for line in built.text.splitlines() if ": error: " in line]
    assert [head for head, *_ in heads] == ["my_kernel.cu(4)", "my_kernel.cu(1)"]
    assert "kernelbot" not in built.text


def test_a_kernel_that_does_not_parse_is_no_error_of_the_launch_line(compiler: str, build: BuildIt) -> None:
    built, _ = build(Cuda(), ADD.replace("void add", "void 3 add"))
    assert not built.ok
    assert "my_kernel.cu(2): error: " in built.text
    assert "launch line" not in built.text


def test_names_of_kernels_with_attributes() -> None:
    bounds = "__global__ void __launch_bounds__(256, 2) first(int n) {}\n"
    cluster = "__global__ void __cluster_dims__(2, 1, 1)\nsecond(int n) {}\n"
    assert _diagnose.named(bounds + cluster + "__global__ __launch_bounds__(64) void third() {}") == [
        "first", "second", "third",
    ]  # fmt: skip


def test_a_template_without_its_arguments(build: BuildIt, compiler: str) -> None:
    built, _ = build(Cuda(), TILES.replace("tiles<KB_T, 16><<<", "tiles<<<"), problem="matmul")
    assert built.text == (
        "my_kernel.cu(1): error: the launch line does not say which tiles of the template; "
        "name it, as in tiles<KB_T><<<...>>>"
    )


def test_an_argument_may_be_passed_twice(compiler: str, build: BuildIt) -> None:
    built, _ = build(Cuda(), ADD.replace("(a, b, out, n)\n", "(a, a, out, n)\n"))
    assert (built.ok, built.text) == (True, "")


def test_host_headers(compiler: str, build: BuildIt) -> None:
    """Those of fixed-width integers are there in any case; for others nvcc takes over."""
    built, out = build(Cuda(), "#include <cstdint>\n#include <stdint.h>\n" + ADD, wanted=["fp32"])
    assert built.ok, built.text
    assert bool(list(out.glob("*.cubin"))) == (compiler == "nvrtc")
    if _toolkit.find_nvcc() is not None:
        built, out = build(Cuda(), "#include <cstdio>\n" + ADD, wanted=["fp32"])
        assert built.ok, built.text
        assert [path.name for path in sorted(out.iterdir())] == ["launch.json", "solve-fp32.so"]


NOT_FINITE = """constexpr float lowest = -INFINITY;
__device__ const float& larger(const float& a, const float& b) { return a < b ? b : a; }
__global__ void edges(KB_T* out) {
    float m[] = {-INFINITY, NAN, lowest};
    out[0] = KB_T(larger(m[0], INFINITY) + fmaxf(m[1], expf(-INFINITY)));
}
//!kernelbot launch edges<<<1, 1>>>(out)
"""


@pytest.mark.parametrize("include", ["", "math_constants.h", "cuda/std/cmath", "cmath"])
def test_what_is_not_finite_has_names(compiler: str, build: BuildIt, include: str) -> None:
    """Before any header, and beside those that define such names themselves."""
    built, _ = build(Cuda(), f"#include <{include}>\n{NOT_FINITE}" if include else NOT_FINITE)
    if include and _kernels.NO_HEADER in built.text:
        pytest.skip(f"{include} is not here")
    assert (built.ok, built.text) == (True, "")


@pytest.mark.parametrize("own", ["#define NAN __int_as_float(0x7fffffff)", "#ifndef NAN\n#define NAN 0.0f\n#endif"])
def test_a_name_of_the_files_own_wins(build: BuildIt, own: str) -> None:
    if not _nvrtc.version():
        pytest.skip("NVRTC is not here")
    built, _ = build(Cuda(), f"{own}\n{NOT_FINITE}")
    assert (built.ok, built.text) == (True, "")


def test_an_architecture_that_is_too_new(compiler: str, build: BuildIt) -> None:
    built, _ = build(Cuda(), ADD, wanted=["fp32"], target="sm_999a")
    assert not built.ok
    assert "architecture" in built.text


def test_a_dtype_that_does_not_build(compiler: str, build: BuildIt) -> None:
    source = ADD.replace("if (i < n)", "KB_T v = a[i]; v.x = 0; if (i < n)").replace(
        "KB_T v", "float4 v;\n#ifdef KB_fp32\nKB_T v", 1
    )
    built, _ = build(Cuda(), source.replace("v.x = 0; if", "v.y = 0;\n#endif\nif"))
    assert not built.ok
    assert built.text.endswith("to offer only what builds, write: //!kernelbot dtypes fp16 bf16")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add", "'add' is not NAME<<<GRID, BLOCK[, SHARED]>>>(ARGUMENTS)"),
        ("a+b<<<1, 1>>>()", "is not NAME<<<GRID"),
        ("add<<<1>>>(n)", "<<<1>>> needs grid and block"),
        ("add<<<1, 1, 1, 1>>>(n)", "needs grid and block"),
        ("add<<<n/256, 256>>>(n)", "'n / 256' is not a dimension, an integer or + - * //"),
        ("add<<<__import__('os'), 256>>>(n)", "is not a dimension"),
        ("add<<<k, 256>>>(n)", "(dimensions here: n)"),
        ("add<<<1, 2048>>>(n)", "a block of 2048 threads; it has 1 to 1024"),
        ("add<<<1, (32, 0)>>>(n)", "a block of 0 threads"),
        ("add<<<(1, 1, 1, 1), 32>>>(n)", "(1, 1, 1, 1) has 4 axes"),
        ("add<<<1, 1, (1, 2)>>>(n)", "shared memory is one number of bytes"),
        ("add<<<n // 0, 32>>>(n)", "divides by zero"),
        ("add<<<1, *n>>>(n)", "'*n' is not an expression"),
        ("add<<<1, 1>>>(x)", "'x' is not an argument of the problem (a, b, out, n)"),
    ],
)
def test_bad_line(build: BuildIt, line: str, said: str) -> None:
    built, _ = build(Cuda(), f"// first\n//!kernelbot launch {line}\n__global__ void add(int n) {{}}\n")
    assert not built.ok
    assert built.text.startswith("my_kernel.cu: line 2: launch line: ")
    assert said in built.text
    assert built.text.endswith(f"; an example: {_launch.EXAMPLE}")
    assert "\n" not in built.text


def test_solve_beside_a_launch_line(build: BuildIt) -> None:
    built, _ = build(Cuda(), ADD + 'extern "C" void solve() {}\n')
    assert (built.ok, built.text) == (
        False, "my_kernel.cu(6): error: solve() beside a launch line (line 1): keep one",
    )  # fmt: skip


def test_nvrtc_alone_is_enough_for_launch_lines(monkeypatch: pytest.MonkeyPatch, compiler: str, build: BuildIt) -> None:
    if compiler != "nvrtc":
        pytest.skip("about NVRTC, and this is its turn with nvcc")
    monkeypatch.setattr(_toolkit, "find_nvcc", lambda: None)
    assert Cuda().available().ok
    assert Cuda().toolchain()["nvrtc"] == _nvrtc.version()
    assert build(Cuda(), ADD, wanted=["fp32"])[0].ok
    solve = 'extern "C" void solve() {}\n'
    assert build(Cuda(), solve, wanted=["fp32"])[0].text.startswith("there is no nvcc here, only kernels")


def test_neither_compiler(monkeypatch: pytest.MonkeyPatch, build: BuildIt) -> None:
    monkeypatch.setattr(_nvrtc, "version", lambda: "")
    monkeypatch.setattr(_toolkit, "find_nvcc", lambda: None)
    assert build(Cuda(), ADD)[0].text == _kernels.NEITHER


def test_launches_get_shape_and_arguments(
    monkeypatch: pytest.MonkeyPatch, build: BuildIt, problem_named: Callable[[str], Problem]
) -> None:
    """The whole of the worker's half but the driver, whose place a recorder takes."""
    import torch

    built, out = build(Cuda(), TILES, problem="matmul", wanted=["fp16"])
    if not built.ok:
        pytest.skip(built.text)
    seen: list[tuple[str, list[object]]] = []

    def recorder(*_: object) -> list[Callable[[_launch.Geometry, list[object]], None]]:
        return [lambda geometry, values: seen.append((str(geometry), list(values)))]

    monkeypatch.setattr(_kernels._cubin, "load_cubin", recorder)
    monkeypatch.setattr(_kernels._load, "load_launchers", recorder)
    solve = Cuda().load(out, built, "fp16", problem_named("matmul").signature)
    for m, n in ((33, 47), (16, 1), (33, 47)):
        c = torch.zeros(m, n)
        solve(torch.zeros(m, 129), torch.zeros(129, n), c, m, n, 129)
        tensor, *numbers = seen[-1][1]
        assert tensor is c
        assert numbers == [m, n]
    assert [text for text, _ in seen] == [
        "grid (3, 3, 1), block (16, 16, 1), 1024 bytes of shared memory",
        "grid (1, 1, 1), block (16, 16, 1), 1024 bytes of shared memory",
        "grid (3, 3, 1), block (16, 16, 1), 1024 bytes of shared memory",
    ]


def test_impossible_geometry() -> None:
    launch = _launch.Launch(
        kernel="k", grid=["n // 256", "1", "1"], block=["n", "1", "1"], shared="0", arguments=[], line=1
    )
    assert _launch.geometry(launch, {"n": 512}, {}).grid == (2, 1, 1)
    for n in (255, 2048):
        with pytest.raises(ValueError, match=f"the launch line of k gives grid .* for n = {n}"):
            _launch.geometry(launch, {"n": n}, {})


def test_nvccs_launchers_say_what_was_refused(
    monkeypatch: pytest.MonkeyPatch, build: BuildIt, problem_named: Callable[[str], Problem]
) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("about machines without a GPU")
    if _toolkit.find_nvcc() is None:
        pytest.skip("needs nvcc")
    monkeypatch.setattr(_nvrtc, "version", lambda: "")
    built, out = build(Cuda(), ADD, wanted=["fp32"])
    solve = Cuda().load(out, built, "fp32", problem_named("vector_add").signature)
    with pytest.raises(RuntimeError, match=r"CUDA: launch with grid \(1, 1, 1\), block \(256, 1, 1\), 0 bytes"):
        solve(torch.ones(4), torch.ones(4), torch.ones(4), 4)
    assert ctypes.CDLL(str(out / "solve-fp32.so")).kernelbot_launch_0
