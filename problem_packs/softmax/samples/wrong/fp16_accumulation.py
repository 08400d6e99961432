#!kernelbot language torch
# expect: wrong
"""The sum of a row runs in fp16, block after block: it loses terms, in fp32 cells as well."""

import torch


def solve(x, y, rows, cols):
    e = torch.exp(x.float() - x.float().amax(dim=-1, keepdim=True))
    total = torch.zeros(rows, 1, dtype=torch.float16, device=x.device)
    for start in range(0, cols, 16):
        total += e[:, start : start + 16].half().sum(dim=-1, keepdim=True)
    y.copy_(e / total.float())
