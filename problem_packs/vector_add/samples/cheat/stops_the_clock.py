#!kernelbot language torch
# expect: wrong
"""Patches every clock it can reach and adds the first half only."""
import time

import torch

time.perf_counter = time.time = time.monotonic = lambda: 0.0
time.perf_counter_ns = lambda: 1
torch.allclose = torch.equal = lambda *args, **kwargs: True


def solve(a, b, out, n):
    half = max(n // 2, 1)
    torch.add(a[:half], b[:half], out=out[:half])
