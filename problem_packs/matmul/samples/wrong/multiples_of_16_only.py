#!kernelbot language torch
# expect: wrong
"""No remainder loop: rows, columns and terms beyond the last full tile are lost."""
import torch


def solve(a, b, c, m, n, k):
    m, n, k = m // 16 * 16, n // 16 * 16, k // 16 * 16
    c[:m, :n] = (a[:m, :k].float() @ b[:k, :n].float()).to(c.dtype)
