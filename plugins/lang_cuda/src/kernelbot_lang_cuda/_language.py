"""The language ``cuda``."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from kernelbot_core import (
    Availability,
    Build,
    BuildOrder,
    DeviceKind,
    Language,
    Problem,
    Sanitizer,
    Signature,
    Solve,
    Support,
    UsageError,
    c_prototype,
    offered_dtypes,
    read_header,
)
from kernelbot_lang_cuda import _compile, _diagnose, _kernels, _launch, _load, _memcheck, _nvrtc, _template, _toolkit

TEXT_CAP = 1 << 16
NO_DEVICE = "built, not run: no CUDA device here"


class Cuda(Language):
    """``.cu`` files with ``extern "C" void solve(inputs, outputs, scalars, stream)``."""

    name = "cuda"
    suffixes = (".cu",)
    comment = "//"

    def available(self) -> Availability:
        nvcc, host = _toolkit.find_nvcc(), shutil.which("g++")
        if (nvcc and host) or _nvrtc.version():  # NVRTC alone builds kernels with a launch line
            return Availability(ok=True)
        if nvcc is None:
            why = "nvcc is neither on PATH nor in CUDA_HOME/bin, and there is no NVRTC"
            return Availability(ok=False, why=why, fix="install the CUDA toolkit and set CUDA_HOME to its folder")
        return Availability(ok=False, why="nvcc needs g++, which is not on PATH", fix="apt-get install g++")

    def detect(self, source: str) -> float:
        if re.search(r"\b__global__\b|<<<.{0,1000}>>>", source):
            return 0.9 if not re.search(r"^[ \t]*(import|from)\s+\w+", source, re.MULTILINE) else 0.1
        return 0.6 if re.search(r'^[ \t]*(#include|extern\s+"C")', source, re.MULTILINE) else 0.0

    def support(self, kind: DeviceKind) -> Support:
        return Support(run=NO_DEVICE) if kind == "cpu" else Support()

    def sanitizer(self, kind: DeviceKind) -> Sanitizer | None:
        return _memcheck.Memcheck() if kind == "gpu" else None

    def toolchain(self) -> dict[str, str]:
        nvcc = _toolkit.find_nvcc()
        found = {"nvcc": _toolkit.nvcc_version(nvcc) if nvcc else "", "nvrtc": _nvrtc.version()}
        return {tool: version for tool, version in (found | {"cutlass": _toolkit.cutlass_version()}).items() if version}

    def environment(self, kind: DeviceKind) -> dict[str, str]:  # noqa: ARG002 - builder and worker alike
        return {name: os.environ[name] for name in (*_toolkit.CUTLASS, "CUDA_PATH") if name in os.environ}

    def build(self, order: BuildOrder, folder: Path, out: Path) -> Build:
        source = (folder / order.source).read_text(errors="replace")
        try:
            offered = offered_dtypes(source, order)
            launches = _launch.read_launches(source, read_header(source).launch, order)
        except UsageError as exc:
            return Build(ok=False, text=f"{order.source}: {exc.message}; {exc.hint}")
        if _compile.architecture(order.target) is None:
            return Build(ok=False, text=f"CUDA code cannot be built for {order.target}")
        labels = [label for label in order.wanted if offered is None or label in offered]
        if launches:
            results, failure = _from_kernels(order, source, launches, labels, folder, out)
        else:
            results, failure = _from_solve(order, source, labels, folder, out)
        cause = _diagnose.python(order.source, source) if failure is not None else ""
        return _built(order, labels, results, failure, cause)

    def load(self, artifact: Path, build: Build, dtype: str, signature: Signature) -> Solve:  # noqa: ARG002 - not needed here
        if (artifact / _kernels.PLAN).exists():
            return _kernels.load_kernels(artifact, dtype, signature)
        return _load.load_library(artifact / _compile.shared_object(dtype), signature)

    def template(self, problem: Problem) -> str:
        return _template.template(problem)


def _from_solve(
    order: BuildOrder, source: str, labels: list[str], folder: Path, out: Path
) -> tuple[list[_compile.Compiled], str | None]:
    """Results, and what to tell the participant below the compiler's text; None when everything was built."""
    nvcc = _toolkit.find_nvcc()
    if nvcc is None:
        return [], "there is no nvcc here, only kernels with a launch line are built; see `kernelbot doctor`"
    results = _compile.compile_all(order, labels, nvcc, folder, out)
    return results, _failure(order, source, results)


def _from_kernels(
    order: BuildOrder, source: str, launches: list[_launch.Launch], labels: list[str], folder: Path, out: Path
) -> tuple[list[_compile.Compiled], str | None]:
    """The same for a file of kernels with launch lines."""
    solve = re.search(r"^[^/\n]*\bvoid\s+solve\s*\(", source, re.MULTILINE)
    if solve is not None:
        line = source.count("\n", 0, solve.start()) + 1
        return [], f"{order.source}({line}): error: solve() beside a launch line (line {launches[0].line}): keep one"
    results = _kernels.build_kernels(order, source, launches, labels, folder, out)
    results = [_diagnose.explained(one, order.source, source, launches) for one in results]
    failed = [one for one in results if not one.ok]
    return results, "\n".join(_narrowing(results, failed)) if failed else None


def _built(
    order: BuildOrder, labels: list[str], results: list[_compile.Compiled], failure: str | None, cause: str
) -> Build:
    text = _compile.joined(results, order.bindings) if results else ""
    if failure is not None:
        return Build(ok=False, text=f"{cause}\n\n{text}\n\n{failure}".strip()[:TEXT_CAP])
    entry = _compile.shared_object(labels[0]) if labels else ""
    return Build(ok=True, text=text[:TEXT_CAP], entry=entry, dtypes=labels)


def _narrowing(results: list[_compile.Compiled], failed: list[_compile.Compiled]) -> list[str]:
    if len(failed) == len(results):
        return []
    good = " ".join(one.label for one in results if one.ok)
    return [f"to offer only what builds, write: //!kernelbot dtypes {good}"]


def _failure(order: BuildOrder, source: str, results: list[_compile.Compiled]) -> str | None:
    """What to tell the participant below the compiler's text; None when everything was built and exports solve."""
    wanted = c_prototype(order.signature)
    failed = [one for one in results if not one.ok]
    if failed:
        unsaid = any("solve" in one.text and wanted not in one.text for one in failed)
        lines = [f"expected: {wanted}"] if unsaid else []
        return "\n".join(lines + _narrowing(results, failed))
    symbols = results[0].symbols if results else None
    if symbols is None or "solve" in symbols:
        return None
    return _no_solve(order.source, source, symbols, wanted)


def _no_solve(name: str, source: str, symbols: frozenset[str], wanted: str) -> str:
    """The file compiled, but there is nothing to call."""
    if any(symbol.startswith("_Z5solve") for symbol in symbols):
        place = re.search(r"\bsolve\s*\(", source)
        line = source.count("\n", 0, place.start()) + 1 if place else 1
        return f"{name}({line}): error: {_compile.OTHERS}; write {wanted}"
    kernels = _diagnose.named(source)
    if not kernels:
        return f"{name}: error: there is no function solve(); write {wanted}"
    return (
        f"{name}: error: there is no function solve() that launches {', '.join(kernels)}; write one, or a line like "
        f"//!kernelbot launch {_launch.EXAMPLE}\nexpected: {wanted}"
    )
