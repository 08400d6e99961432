# expect: crashed
import os
import signal


def solve(a, b, out, n):
    os.kill(os.getpid(), signal.SIGKILL)
