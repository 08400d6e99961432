#!kernelbot language torch
# expect: wrong
def solve(a, b, c, m, n, k):
    pass
