#!kernelbot language torch
def solve(a, b, n):
    return a + b
