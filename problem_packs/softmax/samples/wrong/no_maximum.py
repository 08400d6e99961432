#!kernelbot language torch
# expect: wrong
"""Right until exp overflows."""

import torch


def solve(x, y, rows, cols):
    e = torch.exp(x.float())
    y.copy_(e / e.sum(-1, keepdim=True))
