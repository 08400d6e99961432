#!kernelbot language torch
# tries: the shortest answer there is
# problems: vector_add
# expect: passed
# credit: returned output, one more copy
def solve(a, b, n):
    return a + b
