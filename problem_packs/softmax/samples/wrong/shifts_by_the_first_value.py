#!kernelbot language torch
# expect: wrong
"""Takes the first value of a row for its maximum: enough for rows that are narrow, wherever they lie."""

import torch


def solve(x, y, rows, cols):
    e = torch.exp(x.float() - x[:, :1].float())
    y.copy_(e / e.sum(-1, keepdim=True))
