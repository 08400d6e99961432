#!kernelbot language torch
# expect: wrong|crashed
def solve(a, b, out, n):
    a += b
    out.copy_(a)
