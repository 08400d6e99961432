# expect: crashed
import os
import sys

sys.stdout.buffer.write(b"\xff" * (1 << 20))
sys.stdout.flush()
os._exit(0)


def solve(a, b, out, n):
    pass
