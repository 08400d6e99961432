# expect: crashed
import os
import time


def solve(a, b, out, n):
    while True:
        if os.fork() == 0:
            time.sleep(1000)
