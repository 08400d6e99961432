# expect: crashed
import sys


def solve(a, b, out, n):
    sys.exit(0)
