"""NVRTC: device code to a cubin, in this process, without nvcc, a host compiler or a GPU."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HEADERS = {"cstdint": "", "stdint.h": ""}
"""Host headers that kernels include for what ``kernelbot.h`` has given them already; NVRTC finds no others."""


class Cubin(NamedTuple):
    """What NVRTC says of one program."""

    code: bytes
    """Empty when it did not compile."""
    names: list[str]
    """Symbol of each kernel that was asked for."""
    text: str


@functools.cache
def version() -> str:
    """``13.0``; empty where the bindings or the library are missing. Loads them, so it is for the builder."""
    if importlib.util.find_spec("cuda") is None or importlib.util.find_spec("cuda.bindings") is None:
        return ""
    try:
        from cuda.bindings import nvrtc

        status, major, minor = nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError, OSError):  # the package is there, the library behind it is not
        return ""
    return f"{major}.{minor}" if status == nvrtc.nvrtcResult.NVRTC_SUCCESS else ""


def compile_cubin(source: str, name: str, header: str, kernels: Sequence[str], flags: Sequence[str]) -> Cubin:
    """Compile one program.

    :param name: File name that the diagnostics carry.
    :param header: Text of ``kernelbot.h``, which is included before the first line.
    :param kernels: Kernels as the source names them.
    """
    from cuda.bindings import nvrtc

    headers = HEADERS | {"kernelbot.h": header}
    names = [one.encode() for one in headers]
    texts = [text.encode() for text in headers.values()]
    program = _checked(nvrtc.nvrtcCreateProgram(source.encode(), name.encode(), len(names), texts, names))
    try:
        for kernel in kernels:
            _checked(nvrtc.nvrtcAddNameExpression(program, kernel.encode()))
        options = [flag.encode() for flag in ["--pre-include=kernelbot.h", *flags]]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
        text = _buffer(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).rstrip(b"\0\n ").decode()
        if status == nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION:
            return Cubin(b"", [], text)
        if status == nvrtc.nvrtcResult.NVRTC_ERROR_INVALID_OPTION:  # an architecture that is newer than the library
            return Cubin(b"", [], f"NVRTC {version()}: {text or ' '.join(flags)}")
        _checked((status,))
        symbols = [_checked(nvrtc.nvrtcGetLoweredName(program, kernel.encode())).decode() for kernel in kernels]
        return Cubin(_buffer(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN), symbols, text)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def include_folders(nvcc: Path | None) -> list[Path]:
    """Folders with ``cuda_fp16.h`` and with libcu++, of the toolkit or of NVIDIA's packages for Python."""
    roots = [nvcc.resolve().parent.parent / "include"] if nvcc else []
    roots.append(Path("/usr/local/cuda/include"))
    spec = importlib.util.find_spec("nvidia")
    for place in spec.submodule_search_locations or [] if spec else []:
        roots += sorted(Path(place).glob("cu*/include")) + sorted(Path(place).glob("cuda_runtime/include"))
        roots += sorted(Path(place).glob("cuda_cccl/include"))
    found = next((root for root in roots if (root / "cuda_fp16.h").is_file()), None)
    libcu = next((r for root in roots for r in (root / "cccl", root) if (r / "cuda/std").is_dir()), None)
    return list(dict.fromkeys(folder for folder in (found, libcu) if folder is not None))


def _buffer(program: Any, size: Any, fill: Any) -> bytes:
    data = bytes(_checked(size(program)))
    _checked(fill(program, data))
    return data


def _checked(result: tuple[Any, ...]) -> Any:
    """Value of a call. Raises RuntimeError with NVRTC's own word: a bug of ours, not of the submission."""
    from cuda.bindings import nvrtc

    status, *values = result
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise RuntimeError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status)[1].decode()}")
    return values[0] if values else None
