"""Build orders for the tests of the language plugins: three signatures, no packs needed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from kernelbot_core import Build, BuildOrder, Language, Problem
from kernelbot_core.model.problem import ProblemFile

COMMON = """
format = 1
title = "A title"
summary = "what it computes"
area = "elementwise"
difficulty = "intro"
inputs = { seed = 1 }
tolerance = { rule = "elementwise" }
work = { bytes = "1", flops = "1" }
"""
SIGNATURES = {
    "vector_add": """
[grid]
dtypes = ["fp32", "fp16", "bf16"]
sizes = { small = { n = 1024 } }
[signature]
dims = ["n"]
inputs = [{ name = "a", dtype = "T", shape = ["n"] }, { name = "b", dtype = "T", shape = ["n"] }]
outputs = [{ name = "out", dtype = "T", shape = ["n"] }]
scalars = [{ name = "n", dtype = "int64", value = "n" }]
""",
    "matmul": """
[grid]
dtypes = [{ name = "fp16", T = "fp16", O = "fp16" }, { name = "mixed", T = "bf16", O = "fp32" }]
sizes = { small = { m = 33, n = 47, k = 129 } }
[signature]
dims = ["m", "n", "k"]
inputs = [{ name = "a", dtype = "T", shape = ["m", "k"] }, { name = "b", dtype = "T", shape = ["k", "n"] }]
outputs = [{ name = "c", dtype = "O", shape = ["m", "n"] }]
scalars = [{ name = "m", dtype = "int64", value = "m" }, { name = "n", dtype = "int64", value = "n" },
           { name = "k", dtype = "int64", value = "k" }]
""",
    "scaled": """
[grid]
dtypes = ["fp8_e4m3"]
sizes = { small = { rows = 8, cols = 16 } }
[signature]
dims = ["rows", "cols"]
inputs = [{ name = "x", dtype = "T", shape = ["rows", "cols"] }]
outputs = [{ name = "y", dtype = "fp64", shape = ["rows", "2 * cols"] },
           { name = "at", dtype = "int32", shape = ["rows"] }]
scalars = [{ name = "rows", dtype = "int32", value = "rows" }, { name = "alpha", dtype = "fp32", value = 0.5 }]
""",
}


@pytest.fixture
def problem_named() -> Callable[[str], Problem]:
    """``problem_named("matmul")``."""

    def make(name: str) -> Problem:
        file = msgspec.convert(tomllib.loads(COMMON + SIGNATURES[name]), ProblemFile)
        bindings = {}
        for entry in file.grid.dtypes:
            table = {"name": entry, "T": entry} if isinstance(entry, str) else dict(entry)
            bindings[table.pop("name")] = table
        return Problem(name=name, path="", version="0" * 64, file=file, bindings=bindings, cells=[])

    return make


@pytest.fixture
def build(tmp_path: Path, problem_named: Callable[[str], Problem]) -> Callable[..., tuple[Build, Path]]:
    """``build(language, source, name="k.py", problem=..., wanted=..., target=...)`` in a fresh folder each time."""
    count = iter(range(1000))

    def run(
        language: Language,
        source: str,
        *,
        name: str = "",
        problem: str = "vector_add",
        wanted: list[str] | None = None,
        target: str = "cpu",
    ) -> tuple[Build, Path]:
        root = tmp_path / str(next(count))
        folder, out = root / "build", root / "artifact"
        folder.mkdir(parents=True)
        out.mkdir()
        name = name or f"my_kernel{language.suffixes[0]}"
        (folder / name).write_text(source)
        made = problem_named(problem)
        order = BuildOrder(
            language=f"{type(language).__module__}:{type(language).__qualname__}", source=name, problem=made.name,
            signature=made.signature, bindings=made.bindings, wanted=wanted or list(made.bindings), target=target,
        )  # fmt: skip
        return language.build(order, folder, out), out

    return run
