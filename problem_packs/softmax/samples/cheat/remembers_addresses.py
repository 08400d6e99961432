#!kernelbot language torch
# expect: wrong
"""Takes the same address for the same input."""

import torch

kept = {}


def solve(x, y, rows, cols):
    key = (x.data_ptr(), rows, cols)
    if key not in kept:
        kept[key] = torch.softmax(x, dim=-1)
    y.copy_(kept[key])
