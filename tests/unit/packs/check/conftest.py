"""A small sound pack that each test breaks in its own way."""

from __future__ import annotations

import pytest

TOML = """\
format = 1
title = "A title"
summary = "out = a + b"
area = "elementwise"
difficulty = "intro"

[signature]
dims = ["n"]
inputs = [{ name = "a", dtype = "T", shape = ["n"] }, { name = "b", dtype = "T", shape = ["n"] }]
outputs = [{ name = "out", dtype = "T", shape = ["n"] }]
scalars = [{ name = "n", dtype = "int64", value = "n" }]

[grid]
dtypes = ["fp32", "fp16"]
[grid.sizes]
small = { n = 64 }
large = { n = 1024, ranked = false, devices = ["gpu"] }

[inputs]
seed = 7

[tolerance]
rule = "elementwise"
scale = "magnitude"
eps = { fp16 = 1e-3 }

[properties]
shapes = { examples = 5 }

[work]
bytes = "3 * n * sizeof(T)"
flops = "n"

[limits]
job_s = 60
"""
CODE = """\
import torch
from hypothesis import strategies as st

from kernelbot_core import Case


def inputs(cell, gen):
    return tuple(torch.rand(cell.dims["n"], generator=gen).add(0.1).to(cell.dtypes["T"]) for _ in "ab")


def reference(a, b):
    return a + b


def magnitude(a, b):
    return a.abs() + b.abs()


def shapes(cell):
    return st.sampled_from([1, 3, 33]).map(lambda n: Case({"n": n}))
"""
STATEMENT = "Add two vectors, element by element, into a third one. " * 5 + (
    "`solve(a, b, out, n)`, in C:\n\n"
    '    extern "C" void solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t stream)\n'
)


@pytest.fixture
def make_pack(tmp_path):
    """``make_pack(toml=[(old, new), ...], code=[...])`` -> folder of the sound pack after these replacements."""

    def make(toml=(), code=(), *, name="addition"):
        folder = tmp_path / name
        for kind in ("right", "wrong", "cheat"):
            (folder / "samples" / kind).mkdir(parents=True, exist_ok=True)
        (folder / "README.md").write_text(STATEMENT)
        (folder / "problem.toml").write_text(_replaced(TOML, toml))
        (folder / "problem.py").write_text(_replaced(CODE, code))
        return folder

    return make


def _replaced(text, changes):
    for old, new in changes:
        assert old in text, f"{old!r} is not in the sound pack"
        text = text.replace(old, new, 1)
    return text
