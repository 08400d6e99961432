# expect: crashed
# As long as what is kept of an output, and six times as long in JSON.
import os
import sys

sys.stdout.buffer.write(b"\x01" * (1 << 16))
sys.stdout.flush()


def solve(a, b, out, n):
    os._exit(3)
