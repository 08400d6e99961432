#!kernelbot language torch
# expect: wrong
"""Returns the product in a wider dtype than the signature says."""


def solve(a, b, m, n, k):
    return a.double() @ b.double()
