#!kernelbot language torch
"""Eight partial products over slices of k, summed in fp32: what a split-K kernel computes."""
import torch


def solve(a, b, c, m, n, k):
    total = torch.zeros(m, n, device=a.device)
    step = -(-k // 8)
    for start in range(0, k, step):
        total += a[:, start : start + step].float() @ b[start : start + step].float()
    c.copy_(total)
