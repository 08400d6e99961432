"""The language ``torch``."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys
from pathlib import Path

import msgspec

from kernelbot_core import (
    Availability,
    Build,
    BuildOrder,
    DeviceKind,
    Language,
    Problem,
    Signature,
    Solve,
    build_python,
    load_python,
    read_header,
)
from kernelbot_lang_torch import _extension, _template

SETTLE = "`#!kernelbot language torch`"
_IMPORT = re.compile(r"^[ \t]*(import|from)\s+(\w+)", re.MULTILINE)


def _imported(source: str) -> set[str]:
    """Packages that the source imports; the standard library says nothing about a language."""
    return {match[2] for match in _IMPORT.finditer(source)} - sys.stdlib_module_names


class Torch(Language):
    """``.py`` files with ``solve`` on torch tensors."""

    name = "torch"
    suffixes = (".py",)

    def available(self) -> Availability:
        if importlib.util.find_spec("torch") is None:
            return Availability(ok=False, why="torch cannot be imported", fix="pip install 'kernelbot[torch]'")
        return Availability(ok=True)

    def detect(self, source: str) -> float:
        imported = _imported(source)
        if "cupy" in imported and not imported & {"triton", "jax"}:
            return 0.5  # cupy kernels on torch tensors; there is no language of that name
        if "torch" in imported:
            return 0.7 if not imported & {"triton", "cupy", "numba", "jax", "cutlass"} else 0.4
        return 0.4 if re.search(r"^(def solve\(|solve\s*=)", source, re.MULTILINE) and not imported else 0.0

    def toolchain(self) -> dict[str, str]:
        if importlib.util.find_spec("torch") is None:
            return {}
        return {"torch": importlib.metadata.version("torch")} | _extension.toolchain()

    def environment(self, kind: DeviceKind) -> dict[str, str]:
        # Inductor starts a pool of as many compilers as there are cores; on the CPU they would disturb the clock.
        jobs = 1 if kind == "cpu" else min(8, os.cpu_count() or 1)
        return {
            "TORCHINDUCTOR_COMPILE_THREADS": str(jobs), "TRITON_CACHE_AUTOTUNING": "1",
            "MAX_JOBS": str(min(8, os.cpu_count() or 1)),  # of ninja, for extensions
        }  # fmt: skip

    def build(self, order: BuildOrder, folder: Path, out: Path) -> Build:
        build = build_python(order, folder, out)
        source = (folder / order.source).read_text(errors="replace")
        if build.ok and not _imported(source) and read_header(source).language is None:
            note = f"nothing in {order.source} says its language, it is taken for torch; {SETTLE} settles it"
            build = msgspec.structs.replace(build, notes=[*build.notes, note])
        if build.ok and _extension.is_used(source):
            return _extension.build_extensions(order, build, folder, out)
        return build

    def load(self, artifact: Path, build: Build, dtype: str, signature: Signature) -> Solve:  # noqa: ARG002 - not needed here
        if _extension.is_used((artifact / build.entry).read_text(errors="replace")):
            with _extension.replayed(artifact):
                return load_python(artifact, build)
        return load_python(artifact, build)

    def template(self, problem: Problem) -> str:
        return _template.template(problem)
