#!kernelbot language torch
# expect: wrong
"""Partial sums of 16 products are added up in fp16: fast on some units, and refused here."""
import torch


def solve(a, b, c, m, n, k):
    total = torch.zeros(m, n, dtype=torch.float16, device=a.device)
    for start in range(0, k, 16):
        total += (a[:, start : start + 16].float() @ b[start : start + 16].float()).half()
    c.copy_(total)
