#!kernelbot language torch
"""Another order of accumulation: strided slices of k, from the last to the first, summed pairwise in fp32."""
import torch


def solve(a, b, c, m, n, k):
    parts = [a[:, i::4].float() @ b[i::4].float() for i in reversed(range(min(4, k)))]
    while len(parts) > 1:
        parts = [sum(parts[i : i + 2]) for i in range(0, len(parts), 2)]
    c.copy_(parts[0])
