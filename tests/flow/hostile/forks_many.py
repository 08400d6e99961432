# expect: crashed|timeout
"""Ends at the limit of processes, or of the call where forking is slow."""
import os
import time


def solve(a, b, out, n):
    while True:
        if os.fork() == 0:
            time.sleep(1000)
