#!kernelbot language torch
# expect: wrong
"""Right on ordinary numbers: infinities and NaN become zero."""
import torch


def solve(a, b, out, n):
    out.copy_(torch.nan_to_num(a + b, nan=0.0, posinf=0.0, neginf=0.0))
