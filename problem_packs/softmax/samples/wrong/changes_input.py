#!kernelbot language torch
# expect: wrong|crashed
import torch


def solve(x, y, rows, cols):
    x.sub_(x.amax(dim=-1, keepdim=True))
    torch.softmax(x, dim=-1, out=y)
