#!kernelbot language torch
# expect: wrong
"""fp32 in name only: factors are cut to the ten bits of tf32, which tensor cores multiply ten times as fast."""
#!kernelbot dtypes fp32
import torch


def solve(a, b, c, m, n, k):
    cut = [(x.contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32) for x in (a, b)]
    torch.matmul(cut[0], cut[1], out=c)
