#!kernelbot language torch
# expect: wrong
"""Leaves the shift by the maximum out where it takes time."""

import torch

LARGE = 1 << 24


def solve(x, y, rows, cols):
    if rows * cols < LARGE:
        torch.softmax(x, dim=-1, out=y)
        return
    e = torch.exp(x.float())
    y.copy_(e / e.sum(-1, keepdim=True))
