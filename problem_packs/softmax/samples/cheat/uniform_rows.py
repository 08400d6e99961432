#!kernelbot language torch
# expect: wrong
"""Each row sums to one, and is no softmax."""


def solve(x, y, rows, cols):
    y.fill_(1.0 / cols)
