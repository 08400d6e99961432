#!kernelbot language torch
# expect: wrong
def solve(a, b, n):
    return (a + b).double()
