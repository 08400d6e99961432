#!kernelbot language torch
# expect: wrong
import torch


def solve(a, b, out, n):
    torch.add(a[:-1], b[:-1], out=out[:-1])
