#!kernelbot language torch
# expect: wrong
import torch


def solve(x, rows, cols):
    return torch.softmax(x.double(), dim=-1)
