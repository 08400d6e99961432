"""What the judge measures and reports about the device."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import torch

from kernelbot_gpu_nvidia._driver import driver_version

COPY_BYTES = 1 << 30
COPIES = 12
PACKAGES = ("triton", "cuda-bindings", "cupy-cuda13x", "cupy-cuda12x", "nvidia-cutlass-dsl")


def copy_peak(device: int, free: int) -> float:
    """Bytes/s of the fastest of several plain copies, reads and writes counted.

    :param free: Bytes that may be allocated; an eighth of them is used at most.
    """
    count = min(COPY_BYTES, free // 16)
    source = torch.zeros(count, dtype=torch.uint8, device=f"cuda:{device}")
    target = torch.empty_like(source)
    times: list[float] = []
    for _ in range(COPIES):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        target.copy_(source)  # keeps the device busy while the host enqueues what is timed
        start.record()
        target.copy_(source)
        end.record()
        torch.cuda.synchronize()
        times.append(float(start.elapsed_time(end)) * 1e-3)
    del source, target
    torch.cuda.empty_cache()  # the submission may want it
    return 2 * count / min(times)


def environment(device: int, properties: Any) -> dict[str, Any]:
    """Versions and properties for the report."""
    found = {
        "torch": str(torch.__version__),
        "cuda": torch.version.cuda,
        "cuda_driver": driver_version(),
        "compute_capability": f"{properties.major}.{properties.minor}",
        "multiprocessors": properties.multi_processor_count,
        "l2_bytes": properties.L2_cache_size,
        "memory_bytes": properties.total_memory,
        "judge_peak_bytes": torch.cuda.max_memory_allocated(device),
        "clock": "CUDA events of the worker, attested by CUDA events of the judge",
    }
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
