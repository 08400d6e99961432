#!kernelbot language torch
# expect: wrong
"""Keeps the product for as long as the inputs lie at the same addresses."""
import torch

cache = {}


def solve(a, b, c, m, n, k):
    key = (a.data_ptr(), b.data_ptr(), m, n, k, a.dtype)
    if key not in cache:
        cache[key] = (a.float() @ b.float()).to(c.dtype)
    c.copy_(cache[key])
