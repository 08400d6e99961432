# expect: crashed
import os


def solve(a, b, out, n):
    os._exit(0)
