#!kernelbot language torch
# expect: wrong
"""Stops every clock that it can reach and works on half of the rows."""

import time

import torch

for name in ("perf_counter", "monotonic", "time", "process_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, f"{name}_ns", lambda: 0)


def solve(x, y, rows, cols):
    half = rows // 2
    y[:half] = torch.softmax(x[:half], dim=-1)
