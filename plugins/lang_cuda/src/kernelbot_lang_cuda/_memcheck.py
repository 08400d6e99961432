"""NVIDIA's compute-sanitizer, and its report as lines for the participant."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from kernelbot_core import Availability, Sanitizer
from kernelbot_lang_cuda import _toolkit

TOOL = "compute-sanitizer"
OPTIONS = (
    "--tool", "memcheck", "--target-processes", "application-only", "--launch-timeout", "120",
    "--show-backtrace", "device", "--report-api-errors", "no", "--print-limit", "20",
    "--padding", "256",  # bytes behind each allocation, or one element too far would lie in the next one
)  # fmt: skip
_PREFIX = re.compile(r"^=========(?: (?P<indent> *)(?P<text>.*))?$")
_PLACE = re.compile(r"at (?P<what>.+?)(?:[+:]0x[0-9a-f]+)?(?: in (?P<file>[^\s:]+):(?P<line>\d+))?")
_FAULT = re.compile(r"(?:Address|Access (?:to|at)) 0x[0-9a-f]+ (?P<why>is .*)")
_NEAR = re.compile(r"and (?P<near>is .*?)(?: at 0x[0-9a-f]+)(?P<size>.*)")
_STARTS = re.compile(r"(Invalid|Misaligned|Program hit|Fatal|Malloc|Uninitialized|Race|Warp|Barrier)\b")


class Memcheck(Sanitizer):
    """``compute-sanitizer --tool memcheck``."""

    name = "memcheck"

    def available(self) -> Availability:
        if find_tool() is None:
            why = f"{TOOL} is neither on PATH nor in the CUDA toolkit"
            return Availability(ok=False, why=why, fix="install it with the CUDA toolkit, or: pip install "
                                "nvidia-cuda-sanitizer-api")  # fmt: skip
        return Availability(ok=True)

    def command(self, command: Sequence[str]) -> list[str]:
        return [str(find_tool() or TOOL), *OPTIONS, *command]

    def environment(self) -> dict[str, str]:
        return {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}  # each tensor in an allocation that ends where it ends

    def findings(self, output: str) -> list[str]:
        found: dict[str, int] = {}
        for block in _blocks(output):
            said = _said(block)
            found[said] = found.get(said, 0) + 1
        return [said if count == 1 else f"{said} (and {count - 1} more like it)" for said, count in found.items()]


def find_tool() -> Path | None:
    """Of ``PATH``, of the CUDA toolkit, or of the Python package ``nvidia-cuda-sanitizer-api``."""
    on_path = shutil.which(TOOL)
    if on_path:
        return Path(on_path)
    nvcc = _toolkit.find_nvcc()
    homes = [Path(os.environ["CUDA_HOME"])] if os.environ.get("CUDA_HOME") else []
    homes += [nvcc.resolve().parent.parent] if nvcc else []
    homes.append(Path("/usr/local/cuda"))
    places = [home / folder / TOOL for home in homes for folder in (TOOL, "bin", f"extras/{TOOL}")]
    package = importlib.util.find_spec("nvidia")
    for root in package.submodule_search_locations or [] if package else []:
        places += sorted(Path(root).glob(f"*/{TOOL}/{TOOL}"))
    return next((place for place in places if place.is_file() and os.access(place, os.X_OK)), None)


def _blocks(output: str) -> Iterator[list[str]]:
    """The lines of each error, without the tool's prefix; the first says what it is."""
    block: list[str] = []
    for line in output.splitlines():
        match = _PREFIX.match(line)
        if match is None:
            continue
        text = (match["text"] or "").strip()
        if block and match["indent"] and text:
            block.append(text)
            continue
        if block:
            yield block
        block = [text] if not match["indent"] and _STARTS.match(text) else []
    if block:
        yield block


def _said(block: list[str]) -> str:
    """``k.cu:4: Invalid __global__ write of size 4 bytes in add(...): is out of bounds and is 1 bytes after ...``.

    The thread is left out, so that the same error of many threads is one; the first thread would be no better a hint
    than any other.
    """
    head, where, what, rest = block[0], "", "", []
    for text in block[1:]:
        if (place := _PLACE.fullmatch(text)) and not what:
            what = f" in {place['what']}"
            where = f"{place['file']}:{place['line']}: " if place["file"] else ""
        elif fault := _FAULT.fullmatch(text):
            rest.append(fault["why"].removeprefix("is "))
        elif near := _NEAR.fullmatch(text):
            rest.append(_without_distance(near["near"].removeprefix("is ")) + near["size"])
    return f"{where}{head}{what}" + (f": {', '.join(rest)}" if rest else "")


def _without_distance(near: str) -> str:
    """``16 bytes after`` differs from thread to thread; past the end is past the end."""
    return re.sub(r"^[\d,]+ bytes ", "", near)
