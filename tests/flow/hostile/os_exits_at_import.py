# expect: crashed
import os

os._exit(0)


def solve(a, b, out, n):
    pass
