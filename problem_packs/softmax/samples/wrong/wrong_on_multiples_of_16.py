#!kernelbot language torch
# expect: wrong
"""Right where cols % 16 == 0: the columns behind the last whole block are neither summed nor written."""

import torch


def solve(x, y, rows, cols):
    whole = cols // 16 * 16
    y[:, :whole] = torch.softmax(x[:, :whole], dim=-1)
