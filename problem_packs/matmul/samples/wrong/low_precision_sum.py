#!kernelbot language torch
# expect: wrong
"""Accumulates in the dtype of the output: fp16 and bf16 lose what the tolerance counts on."""
import torch


def solve(a, b, c, m, n, k):
    total = torch.zeros_like(c)
    for start in range(0, k, 4):
        total = total + (a[:, start : start + 4].float() @ b[start : start + 4].float()).to(c.dtype)
    if c.dtype == torch.float32:
        total = a.half().float() @ b.half().float()
    c.copy_(total)
