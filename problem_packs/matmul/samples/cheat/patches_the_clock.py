#!kernelbot language torch
# expect: wrong
"""Stops every clock that it can reach and multiplies half of k."""

import time

import torch

for name in ("perf_counter", "monotonic", "time", "process_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, f"{name}_ns", lambda: 0)


def solve(a, b, c, m, n, k):
    half = k // 2
    torch.matmul(a[:, :half].contiguous(), b[:half], out=c)
