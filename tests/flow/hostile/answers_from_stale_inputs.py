# expect: wrong
"""Keeps the first answer and gives it again."""
import torch

kept = {}


def solve(a, b, out, n):
    key = (n, out.dtype)
    if key not in kept:
        kept[key] = a + b
    out.copy_(kept[key])
