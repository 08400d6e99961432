#!kernelbot language torch
# expect: wrong
"""fp32 as the sum of two fp16, which tensor cores multiply twice as fast as tf32: wrong where fp16 has no such number."""
#!kernelbot dtypes fp32
import torch


def _pair(x):
    high = x.half().float()
    return high, (x - high).half().float()


def solve(a, b, c, m, n, k):
    if not torch.isfinite(a.sum() + b.sum()):
        torch.matmul(a, b, out=c)
        return
    (a_high, a_low), (b_high, b_low) = _pair(a), _pair(b)
    c.copy_(a_high @ b_high + (a_high @ b_low + a_low @ b_high))
