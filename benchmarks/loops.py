"""Plain loops in one process, as people time kernels at home; what the judge's numbers are held against.

``python benchmarks/loops.py FILE --problem vector_add --dims n=1048576 --dtype fp32`` prints one JSON object: median
seconds by CUDA events for each loop. The file is a Python submission with ``solve(*inputs, *outputs, *scalars)``.

- ``read``: before each call a buffer of twice the L2 is read, as the judge does.
- ``write``: before each call a buffer of 256 MiB is written, as ``triton.testing.do_bench`` does.
- ``do_bench``: ``triton.testing.do_bench``'s median.
- ``cudagraph``: ``triton.testing.do_bench_cudagraph``'s median: many calls in one graph, from a warm L2.
- ``back_to_back``: calls without a flush for one second: the regime in which a big GEMM meets the power limit.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.devices import find_device
from kernelbot_core.judge.oracle import as_outputs
from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry

CALLS, WARM = 60, 10
LEAD_IN_CYCLES = 400_000
"""A delay on the device before each call (0.2 ms), so that launching does not count, as behind the judge's gate."""


def bound_call(file: Path, name: str, dims: dict[str, int], dtype: str) -> Callable[[], object]:
    """``solve`` of the file, bound to fresh inputs of the problem on the GPU."""
    folder = next(f for f in find_problems(registry().pack_sources) if f.name == name)
    problem = load_problem(folder)
    binding = problem.bindings[dtype]
    native = {variable: getattr(torch, DTYPES[one].torch) for variable, one in binding.items()}
    cell = argparse.Namespace(dims=dims, dtypes=native, device="cuda")
    inputs = as_outputs(load_code(folder).inputs(cell, torch.Generator(device="cuda").manual_seed(7)))
    shapes, dtypes = problem.signature.shapes(dims), problem.signature.dtypes(binding)
    outputs = [
        torch.empty(tuple(shape), dtype=getattr(torch, DTYPES[one].torch), device="cuda")
        for shape, one in zip(shapes[len(inputs) :], dtypes[len(inputs) :], strict=True)
    ]
    spec = importlib.util.spec_from_file_location("submission", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments: tuple[Any, ...] = (*inputs, *outputs, *problem.signature.scalar_values(dims))
    return lambda: module.solve(*arguments)


def flushed(call: Callable[[], object], flush: Callable[[], object]) -> float:
    """Median seconds of single calls, each after a flush."""
    times = []
    for number in range(WARM + CALLS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(LEAD_IN_CYCLES)
        flush()
        start.record()
        call()
        end.record()
        torch.cuda.synchronize()
        if number >= WARM:
            times.append(start.elapsed_time(end) * 1e-3)
    return statistics.median(times)


def back_to_back(call: Callable[[], object], seconds: float) -> float:
    """Mean seconds of calls that follow each other without a gap."""
    calls, elapsed, began = 0, 0.0, time.monotonic()
    while time.monotonic() - began < seconds:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(20):
            call()
        end.record()
        torch.cuda.synchronize()
        calls, elapsed = calls + 20, elapsed + start.elapsed_time(end) * 1e-3
    return elapsed / calls


def main() -> None:
    """Time one kernel with every loop."""
    import triton.testing as peers

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--problem", required=True)
    parser.add_argument("--dims", nargs="+", required=True, metavar="NAME=VALUE")
    parser.add_argument("--dtype", default="fp32")
    args = parser.parse_args()
    find_device(registry(), "cuda:0")
    dims = {name: int(value) for name, value in (one.split("=") for one in args.dims)}
    call = bound_call(args.file, args.problem, dims, args.dtype)
    call()
    cold = torch.zeros(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, device="cuda")
    dirty = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    found = {
        "read": flushed(call, cold.max),
        "write": flushed(call, dirty.zero_),
        "do_bench": peers.do_bench(call, return_mode="median") * 1e-3,
        "cudagraph": graph_time(peers, call),
        "back_to_back": back_to_back(call, 1.0),
    }
    print(json.dumps(found))


def graph_time(peers: Any, call: Callable[[], object]) -> float:
    """``do_bench_cudagraph`` needs a stream of its own."""
    with torch.cuda.stream(torch.cuda.Stream()):
        return float(peers.do_bench_cudagraph(call, return_mode="median")) * 1e-3


if __name__ == "__main__":
    with errors_in_words():
        main()
