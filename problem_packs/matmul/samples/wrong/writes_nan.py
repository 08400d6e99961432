#!kernelbot language torch
# expect: wrong
def solve(a, b, c, m, n, k):
    c.fill_(float("nan"))
