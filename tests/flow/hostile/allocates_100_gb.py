# expect: out_of_memory
import torch


def solve(a, b, out, n):
    hold = []
    for _ in range(100):
        hold.append(torch.ones(1 << 30, dtype=torch.uint8))
    torch.add(a, b, out=out)
