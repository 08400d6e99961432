#!kernelbot language torch
# expect: wrong
import torch


def solve(x, y, rows, cols):
    torch.softmax(x, dim=0, out=y)
