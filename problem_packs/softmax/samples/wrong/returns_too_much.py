#!kernelbot language torch
# expect: wrong
import torch


def solve(x, rows, cols):
    return torch.softmax(x, dim=-1), x
