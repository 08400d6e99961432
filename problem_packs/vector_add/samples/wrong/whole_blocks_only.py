#!kernelbot language torch
# expect: wrong
"""Right on every size of the grid but the ragged one: forgets what is behind the last whole block of 16."""
import torch


def solve(a, b, out, n):
    whole = n // 16 * 16
    torch.add(a[:whole], b[:whole], out=out[:whole])
