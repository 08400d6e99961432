#!kernelbot language torch
# expect: wrong
"""Computes a corner and hopes that only that is looked at."""
def solve(a, b, c, m, n, k):
    h, w = max(m // 2, 1), max(n // 2, 1)
    c.zero_()
    c[:h, :w] = (a[:h].float() @ b[:, :w].float()).to(c.dtype)
