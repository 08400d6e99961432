#!kernelbot language torch
# expect: wrong
"""Everything is right but one element in the middle, which is left as it was."""
import torch


def solve(a, b, c, m, n, k):
    full = (a.float() @ b.float()).to(c.dtype)
    full[m // 2, n // 2] = c[m // 2, n // 2]
    c.copy_(full)
