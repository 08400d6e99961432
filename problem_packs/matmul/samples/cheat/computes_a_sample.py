#!kernelbot language torch
# expect: wrong
"""Bets on a judge that looks at a few elements: eight rows are computed, the others repeat them."""
import torch


def solve(a, b, c, m, n, k):
    few = min(8, m)
    rows = (a[:few].float() @ b.float()).to(c.dtype)
    c.copy_(rows.repeat(-(-m // few), 1)[:m])
