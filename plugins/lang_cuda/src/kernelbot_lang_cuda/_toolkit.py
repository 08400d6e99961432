"""Where nvcc, the libraries and the CUTLASS headers lie on this machine."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

LIBRARIES = ("cuda", "cublas", "cublasLt")
CUTLASS = ("CUTLASS_PATH", "CUTLASS_HOME")
"""Variables that may name the folder of CUTLASS."""


def find_nvcc() -> Path | None:
    """Of ``CUDA_HOME``, else of ``PATH``, else of the usual place."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    on_path = shutil.which("nvcc")
    places = [Path(home, "bin/nvcc")] if home else []
    places += [Path(on_path)] if on_path else []
    places.append(Path("/usr/local/cuda/bin/nvcc"))
    return next((place for place in places if os.access(place, os.X_OK)), None)


def nvcc_version(nvcc: Path) -> str:
    """``13.0.88``; empty when it does not answer."""
    try:
        done = subprocess.run([str(nvcc), "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"\bV(\d+(?:\.\d+)+)", done.stdout)
    return found[1] if found else ""


def link_flags(nvcc: Path) -> list[str]:
    """Flags for those of :data:`LIBRARIES` that are here; a library that a submission does not use is not needed later.

    Only the driver library has stubs that are linked and never loaded; the others are found again through an rpath.
    """
    flags = ["-Xlinker", "--as-needed"]
    for library in LIBRARIES:
        folder = next((f for f in _library_folders(nvcc) if (f / f"lib{library}.so").exists()), None)
        if folder is not None:
            flags += ["-L", str(folder), f"-l{library}"]
            flags += [] if folder.name == "stubs" else ["-Xlinker", f"-rpath={folder}"]
    return flags


def cutlass_folders() -> list[Path]:
    """CUTLASS and CuTe headers: ``CUTLASS_PATH``, ``CUTLASS_HOME``, else the Python package ``nvidia-cutlass``."""
    stated = [os.environ[name] for name in CUTLASS if os.environ.get(name)]
    roots = [Path(place) for place in stated]
    package = importlib.util.find_spec("cutlass_library")
    if package is not None and package.origin is not None:
        roots.append(Path(package.origin).parent / "source")
    for root in roots:
        if (root / "include/cutlass").is_dir():
            return [folder for folder in (root / "include", root / "tools/util/include") if folder.is_dir()]
    return []


def cutlass_version() -> str:
    """``4.2.1``; empty where the headers are missing."""
    folders = cutlass_folders()
    file = folders[0] / "cutlass/version.h" if folders else None
    if file is None or not file.is_file():
        return "of unknown version" if folders else ""
    text = file.read_text(errors="replace")
    found = [re.search(rf"#define CUTLASS_{part} +(\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(one[1] for one in found if one)


def _library_folders(nvcc: Path) -> list[Path]:
    home = os.environ.get("CUDA_HOME")
    roots = [Path(home)] if home else []
    roots += [nvcc.resolve().parent.parent, Path("/usr/local/cuda")]
    inside = ("lib64", "lib64/stubs", "targets/x86_64-linux/lib", "targets/x86_64-linux/lib/stubs", "lib", "lib/stubs")
    system = [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib/aarch64-linux-gnu")]
    return [root / part for root in roots for part in inside] + system
