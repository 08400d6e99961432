#!kernelbot language torch
# expect: wrong
"""One element out of all is left as it was."""

import torch


def solve(x, y, rows, cols):
    full = torch.softmax(x, dim=-1)
    full[rows // 2, cols // 2] = y[rows // 2, cols // 2]
    y.copy_(full)
