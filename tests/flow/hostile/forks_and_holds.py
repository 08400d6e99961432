# expect: crashed
"""The child keeps the connection to the judge open while the parent leaves."""
import os
import time


def solve(a, b, out, n):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    os._exit(0)
