#!kernelbot language torch
"""fp32 as the sum of three bf16, six products: what tensor cores do for fp32 without losing its range."""
#!kernelbot dtypes fp32
import torch


def _parts(x):
    parts = []
    for _ in range(3):
        parts.append(x.bfloat16().float())
        x = x - parts[-1]
    return parts


def solve(a, b, c, m, n, k):
    if not torch.isfinite(a.sum() + b.sum()):
        torch.matmul(a, b, out=c)
        return
    x, y = _parts(a), _parts(b)
    c.copy_(x[0] @ y[0] + (x[0] @ y[1] + x[1] @ y[0]) + (x[1] @ y[1] + x[0] @ y[2] + x[2] @ y[0]))
