"""Files with kernels and launch lines: built by NVRTC where it is, else by nvcc, and made callable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from kernelbot_core import BuildOrder, Signature, Solve
from kernelbot_lang_cuda import _compile, _cubin, _generate, _load, _nvrtc, _signature, _toolkit
from kernelbot_lang_cuda._launch import Geometry, Launch, geometry, known_dims

PLAN = "launch.json"
NEITHER = "kernels with a launch line need NVRTC (pip install cuda-bindings nvidia-cuda-nvrtc) or nvcc"

NO_HEADER = "open source file"
"""In what NVRTC says of a host header, which nvcc has: "cannot", in older ones "could not"."""


class Plan(Struct, frozen=True, kw_only=True):
    """What the worker needs beside the built code."""

    launches: list[Launch]
    bindings: dict[str, dict[str, str]]
    names: dict[str, list[str]]
    """Dtype label -> symbol of the kernel of each launch line; without the label, the launches are in a library."""


def build_kernels(
    order: BuildOrder, source: str, launches: list[Launch], labels: Sequence[str], folder: Path, out: Path
) -> list[_compile.Compiled]:
    """Build every label and write the plan; one result for each."""
    nvcc = _toolkit.find_nvcc()
    results = [_compile.Compiled(label, False, NEITHER, None) for label in labels]
    names: dict[str, list[str]] = {}
    if _nvrtc.version():
        results = [_with_nvrtc(order, source, launches, label, out, names) for label in labels]
    if nvcc and (not _nvrtc.version() or any(NO_HEADER in one.text for one in results)):

        def behind(label: str) -> str:
            given = _generate.parameters(order.signature, order.bindings[label])
            return _generate.checks(launches, order.source, given) + _generate.launchers(launches, given)

        results, names = _compile.compile_all(order, labels, nvcc, folder, out, behind), {}
    if all(one.ok for one in results):
        plan = Plan(launches=launches, bindings={label: order.bindings[label] for label in labels}, names=names)
        (out / PLAN).write_bytes(msgspec.json.encode(plan))
    return results


def _with_nvrtc(
    order: BuildOrder, source: str, launches: list[Launch], label: str, out: Path, names: dict[str, list[str]]
) -> _compile.Compiled:
    binding = order.bindings[label]
    behind = _generate.checks(launches, order.source, _generate.parameters(order.signature, binding))
    flags = [f"--gpu-architecture=sm_{_compile.architecture(order.target)}", "--std=c++17", "-lineinfo"]
    folders = [*_nvrtc.include_folders(_toolkit.find_nvcc()), *_toolkit.cutlass_folders()]
    flags += [f"--include-path={folder}" for folder in folders]
    flags += _signature.macros(label, binding)
    header = _signature.device_header(order.signature, binding)
    # NVRTC asks for each name once, and a kernel may stand in several launch lines
    kernels = list(dict.fromkeys(launch.kernel for launch in launches))
    built = _nvrtc.compile_cubin(source + behind, order.source, header, kernels, flags)
    if built.code:
        symbols = dict(zip(kernels, built.names, strict=True))
        names[label] = [symbols[launch.kernel] for launch in launches]
        (out / f"{label}.cubin").write_bytes(built.code)
    return _compile.Compiled(label, bool(built.code), built.text, None)


def load_kernels(artifact: Path, label: str, signature: Signature) -> Solve:
    """``solve(*tensors, *scalars)`` that makes the launches one after the other, on the legacy default stream.

    It raises ValueError when a launch line gives an impossible geometry for the shape of the call, and RuntimeError
    with CUDA's own words when a launch is refused.
    """
    plan = msgspec.json.decode((artifact / PLAN).read_bytes(), type=Plan)
    arguments = [launch.arguments for launch in plan.launches]
    if label in plan.names:
        launchers = _cubin.load_cubin(artifact / f"{label}.cubin", plan.names[label], arguments, signature)
    else:
        launchers = _load.load_launchers(artifact / _compile.shared_object(label), arguments, signature)
    return _solve(plan, label, launchers, signature)


def _solve(plan: Plan, label: str, launchers: list[Callable[[Geometry, Sequence[Any]], None]], s: Signature) -> Solve:
    places = known_dims(s)
    chosen = [[s.arguments.index(name) for name in launch.arguments] for launch in plan.launches]
    known: dict[tuple[int, ...], list[Geometry]] = {}

    def solve(*arguments: Any) -> None:
        dims = {name: int(arguments[place].shape[axis]) for name, (place, axis) in places.items()}
        key = tuple(dims.values())
        if key not in known:
            known[key] = [geometry(launch, dims, plan.bindings[label]) for launch in plan.launches]
        for launch, shape, picked in zip(launchers, known[key], chosen, strict=True):
            launch(shape, [arguments[place] for place in picked])

    return solve
