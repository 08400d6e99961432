#!kernelbot language torch
# expect: wrong
"""Writes the transpose into the memory of c; on square problems only the values are wrong."""
import torch


def solve(a, b, c, m, n, k):
    c.view(n, m).copy_((a.float() @ b.float()).t())
