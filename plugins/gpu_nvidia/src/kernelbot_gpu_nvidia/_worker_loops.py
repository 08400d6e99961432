"""Times as other tools take them: in one process, without a gate, believed by nobody."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from kernelbot_core import Loop

FLUSH_BYTES = 256 << 20
"""What triton.testing.do_bench clears before each call."""
CALLS = {Loop.DO_BENCH: 20, Loop.WALL: 10}
SUSTAINED_S = 1.0
PROBE_CALLS = 5


def measure(call: Callable[[], object], mode: Loop, device: int) -> float:
    """Seconds of one call that has been warmed up.

    :param device: CUDA ordinal; its default stream is the current one and is idle.
    """
    if mode is Loop.DO_BENCH:
        return _after_flush(call, device)
    return _wall(call, device) if mode is Loop.WALL else _sustained(call, device)


def _after_flush(call: Callable[[], object], device: int) -> float:
    cache = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device=f"cuda:{device}")
    pairs = [_events() for _ in range(CALLS[Loop.DO_BENCH])]
    for start, end in pairs:
        cache.zero_()
        start.record()
        call()
        end.record()
    torch.cuda.synchronize(device)
    del cache
    torch.cuda.empty_cache()  # the next cell may want it
    return statistics.median(float(start.elapsed_time(end)) for start, end in pairs) * 1e-3


def _wall(call: Callable[[], object], device: int) -> float:
    times = []
    for _ in range(CALLS[Loop.WALL]):
        began = time.perf_counter()
        call()
        torch.cuda.synchronize(device)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _sustained(call: Callable[[], object], device: int) -> float:
    count = max(PROBE_CALLS, round(SUSTAINED_S / _back_to_back(call, PROBE_CALLS, device)))
    return _back_to_back(call, count, device)


def _back_to_back(call: Callable[[], object], count: int, device: int) -> float:
    start, end = _events()
    start.record()
    for _ in range(count):
        call()
    end.record()
    torch.cuda.synchronize(device)
    return float(start.elapsed_time(end)) * 1e-3 / count


def _events() -> tuple[torch.cuda.Event, torch.cuda.Event]:
    return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
