#!kernelbot language torch
# expect: wrong
import torch


def solve(a, b, c, m, n, k):
    total = torch.zeros(m, n, dtype=torch.bfloat16, device=a.device)
    for start in range(0, k, 64):
        total += (a[:, start : start + 64].float() @ b[start : start + 64].float()).bfloat16()
    c.copy_(total)
