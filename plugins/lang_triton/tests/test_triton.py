"""The language ``triton``; the kernels really run, in Triton's interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from kernelbot_core import Build, Problem
from kernelbot_lang_triton import Triton

BuildIt = Callable[..., tuple[Build, Path]]
ADD = """
import torch
import triton
import triton.language as tl

@triton.jit
def add(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    total = tl.load(a_ptr + at, mask=inside) + tl.load(b_ptr + at, mask=inside)
    tl.store(out_ptr + at, total, mask=inside)

def solve(a, b, out, n):
    add[(triton.cdiv(n, 64),)](a, b, out, n, BLOCK=64)
"""
# what a worker does: load, make tensors, call, show the outputs
CALL = """
import sys, pathlib, torch, msgspec
from kernelbot_core import Build
from kernelbot_lang_triton import Triton
built = msgspec.json.decode(sys.argv[2].encode(), type=Build)
solve = Triton().load(pathlib.Path(sys.argv[1]), built, "fp32", None)
dtype = getattr(torch, sys.argv[3])
a, b, out = torch.arange(100).to(dtype), torch.ones(100).to(dtype), torch.full((100,), -1.0).to(dtype)
solve(a, b, out, 100)
print((out == a + b).all().item(), (out == 0).all().item())
"""


def run(built: tuple[Build, Path], folder: Path, dtype: str = "float32") -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
        **Triton().environment("cpu"),
    }
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", CALL, str(built[1]), msgspec.json.encode(built[0]).decode(), dtype],
        env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def interpreter() -> None:
    here = Triton().available()
    if not here.ok:
        pytest.skip(here.why)


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_runs_in_the_interpreter(build: BuildIt, tmp_path: Path, dtype: str) -> None:
    assert run(build(Triton(), ADD), tmp_path, dtype) == "True False"


@pytest.mark.usefixtures("interpreter")
def test_autotune_and_heuristics_run(build: BuildIt, tmp_path: Path) -> None:
    """The first configuration is taken, and heuristics see it."""
    source = ADD.replace(
        "@triton.jit\n",
        "@triton.autotune(configs=[triton.Config({'BLOCK': block}) for block in (32, 256)], key=['n'])\n"
        "@triton.heuristics({'EVEN': lambda given: print(at := given['BLOCK']) or given['n'] % at == 0})\n"
        "@triton.jit\n",
    ).replace("BLOCK: tl.constexpr)", "BLOCK: tl.constexpr, EVEN: tl.constexpr)")
    source = source.replace("cdiv(n, 64),)]", "cdiv(n, meta['BLOCK']),)]").replace("add[(", "add[lambda meta: (")
    source = source.replace(", BLOCK=64)", ")")
    assert run(build(Triton(), source), tmp_path).splitlines() == ["32", "True False"]


@pytest.mark.usefixtures("interpreter")
def test_template_runs(build: BuildIt, tmp_path: Path, problem_named: Callable[[str], Problem]) -> None:
    built = build(Triton(), Triton().template(problem_named("vector_add")))
    assert run(built, tmp_path) == "False True"


@pytest.mark.parametrize("name", ["vector_add", "matmul", "scaled"])
def test_template_builds(build: BuildIt, problem_named: Callable[[str], Problem], name: str) -> None:
    source = Triton().template(problem_named(name))
    built, _ = build(Triton(), source, problem=name)
    assert (built.ok, built.returns_value, built.text) == (True, False, "")
    assert Triton().detect(source) > 0.9


def test_what_works_on_the_cpu() -> None:
    support = Triton().support("cpu")
    assert support.bench == "Triton's interpreter on CPU is not timed"
    assert support.dtypes["bf16"] == "Triton's interpreter computes bf16 wrongly on CPU"
    assert set(support.dtypes) == {"bf16", "fp8_e4m3", "fp8_e5m2"}
    assert support.check_calls == 3
    assert not support.run
    assert Triton().environment("cpu") == {"TRITON_INTERPRET": "1"}


def test_a_gpu_compiles() -> None:
    assert Triton().support("gpu").bench == ""
    assert "TRITON_INTERPRET" not in Triton().environment("gpu")


def test_missing_triton_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "triton" else object())
    here = Triton().available()
    assert (here.ok, here.why, here.fix) == (
        False, "triton cannot be imported", "pip install 'kernelbot[torch,triton]'",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("source", "least", "most"),
    [
        (ADD, 0.9, 1.0),
        ("from triton import jit\n", 0.5, 0.9),
        ("import torch\n# triton would be faster\n", 0, 0),
        ("x = '@triton.jit'\n", 0, 0),
    ],
)
def test_detect(source: str, least: float, most: float) -> None:
    assert least <= Triton().detect(source) <= most


def test_a_file_that_does_not_parse(build: BuildIt) -> None:
    built, _ = build(Triton(), ADD.replace("def solve(a, b, out, n):", "def solve(a, b, out, n)"))
    assert not built.ok
    assert built.text.startswith("my_kernel.py:13: expected ':'")
