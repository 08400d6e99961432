# tries: two thousand small launches, more than the queue holds
# problems: vector_add
# expect: passed
# device: gpu
# credit: synchronises inside: the queue is full before the gate opens
import torch


def solve(a, b, out, n):
    step = max(1, n // 2000)
    for start in range(0, n, step):
        part = slice(start, start + step)
        torch.add(a[part], b[part], out=out[part])
