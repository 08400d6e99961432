#!kernelbot language torch
# expect: wrong
def solve(x, y, rows, cols):
    y.fill_(float("nan"))
