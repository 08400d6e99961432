#!kernelbot language torch
"""Returns its output; the judge's copy into c is then part of the measured time."""


def solve(a, b, m, n, k):
    return (a.float() @ b.float()).to(a.dtype)
