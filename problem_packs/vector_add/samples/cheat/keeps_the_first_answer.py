#!kernelbot language torch
# expect: wrong
"""Computes once for each length and gives that answer again."""
kept = {}


def solve(a, b, out, n):
    if n not in kept:
        kept[n] = a + b
    out.copy_(kept[n])
