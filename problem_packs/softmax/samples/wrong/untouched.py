#!kernelbot language torch
# expect: wrong
def solve(x, y, rows, cols):
    pass
