#!kernelbot language torch
# expect: crashed
"""An exit code of zero is no pass."""
import os

os._exit(0)


def solve(a, b, out, n):
    pass
