# expect: crashed
import sys

sys.exit(0)


def solve(a, b, out, n):
    pass
