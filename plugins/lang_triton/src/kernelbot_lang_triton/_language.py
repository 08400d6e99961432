"""The language ``triton``."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
from pathlib import Path

from kernelbot_core import (
    Availability,
    Build,
    BuildOrder,
    DeviceKind,
    Language,
    Problem,
    Signature,
    Solve,
    Support,
    build_python,
    load_python,
)
from kernelbot_lang_triton import _interpret
from kernelbot_lang_triton._template import template

_WRONG = ("bf16", "fp8_e4m3", "fp8_e5m2")
"""Dtypes whose bits the interpreter adds and multiplies as integers (seen with Triton 3.9)."""
INTERPRETED_CALLS = 3
"""Calls of a check case under the interpreter, where one may take half a second."""


class Triton(Language):
    """``.py`` files that launch ``@triton.jit`` kernels from ``solve``."""

    name = "triton"
    suffixes = (".py",)

    def available(self) -> Availability:
        missing = [name for name in ("triton", "torch", "numpy") if importlib.util.find_spec(name) is None]
        if missing:
            why = f"{' and '.join(missing)} cannot be imported"
            return Availability(ok=False, why=why, fix="pip install 'kernelbot[torch,triton]'")
        return Availability(ok=True)

    def detect(self, source: str) -> float:
        if re.search(r"^@triton\.(jit|autotune|heuristics)\b", source, re.MULTILINE):
            return 0.95
        return 0.8 if re.search(r"^[ \t]*(import|from)\s+triton\b", source, re.MULTILINE) else 0.0

    def support(self, kind: DeviceKind) -> Support:
        if kind == "gpu":
            return Support()
        return Support(
            bench="Triton's interpreter on CPU is not timed",
            dtypes={dtype: f"Triton's interpreter computes {dtype} wrongly on CPU" for dtype in _WRONG},
            check_calls=INTERPRETED_CALLS,
        )

    def environment(self, kind: DeviceKind) -> dict[str, str]:
        if kind == "cpu":
            return {"TRITON_INTERPRET": "1"}
        # autotuning results lie in the job's cache: a second worker of a job runs the configuration of the first
        return {"TRITON_CACHE_AUTOTUNING": "1"}

    def toolchain(self) -> dict[str, str]:
        found = {}
        for name in ("triton", "torch"):
            if importlib.util.find_spec(name) is not None:
                found[name] = importlib.metadata.version(name)
        return found

    def build(self, order: BuildOrder, folder: Path, out: Path) -> Build:
        return build_python(order, folder, out)

    def load(self, artifact: Path, build: Build, dtype: str, signature: Signature) -> Solve:  # noqa: ARG002 - not needed here
        if os.environ.get("TRITON_INTERPRET") == "1":
            _interpret.tune_by_order()
        return load_python(artifact, build)

    def template(self, problem: Problem) -> str:
        return template(problem)
