#!kernelbot language torch
import torch

CHUNK = 65_536


def solve(a, b, out, n):
    for start in range(0, n, CHUNK):
        part = slice(start, start + CHUNK)
        torch.add(a[part], b[part], out=out[part])
