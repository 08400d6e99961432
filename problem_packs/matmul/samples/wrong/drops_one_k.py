#!kernelbot language torch
# expect: wrong
"""Leaves out the last term of every sum."""
import torch


def solve(a, b, c, m, n, k):
    c.copy_(a[:, : k - 1].float() @ b[: k - 1].float())
