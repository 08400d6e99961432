#!kernelbot language torch
# expect: wrong
def solve(a, b, out, n):
    out.fill_(float("nan"))
