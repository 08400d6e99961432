#!kernelbot language torch
# expect: wrong
"""One element out of all is left as it was."""

import torch


def solve(a, b, out, n):
    middle = n // 2
    torch.add(a[:middle], b[:middle], out=out[:middle])
    torch.add(a[middle + 1 :], b[middle + 1 :], out=out[middle + 1 :])
