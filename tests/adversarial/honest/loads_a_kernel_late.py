# tries: another kernel from the sixth call on: its code is loaded behind the gate
# problems: vector_add
# expect: passed
# device: gpu
# credit: one call synchronises inside
import torch

calls = 0


def solve(a, b, out, n):
    global calls
    calls += 1
    if calls < 6:
        torch.add(a, b, out=out)
    else:
        torch.sub(a, b, alpha=-1, out=out)
