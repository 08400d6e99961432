# expect: passed
import torch

print("x" * 10_000_000)


def solve(a, b, out, n):
    print("y" * 1_000_000)
    torch.add(a, b, out=out)
