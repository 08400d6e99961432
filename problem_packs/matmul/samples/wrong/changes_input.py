#!kernelbot language torch
# expect: wrong|crashed
"""Zeroes an input when it is done with it."""

import torch


def solve(a, b, c, m, n, k):
    torch.matmul(a, b, out=c)
    b.zero_()
