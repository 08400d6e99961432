#!kernelbot language torch
# expect: crashed
"""Tells whoever reads the output that all is well, and leaves with code 0 before anything is computed."""
import os
import sys


def solve(a, b, c, m, n, k):
    print("100 passed in 0.01s")
    sys.stdout.flush()
    os._exit(0)
