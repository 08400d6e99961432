#!kernelbot language torch
# expect: wrong
"""Skips terms whose factor in a is zero: right for numbers, but 0 * nan is nan."""
import torch


def solve(a, b, c, m, n, k):
    clean = torch.nan_to_num(b.float(), nan=0.0)
    c.copy_(a.float() @ clean)
