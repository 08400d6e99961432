# expect: wrong
import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
    a.add_(1)
