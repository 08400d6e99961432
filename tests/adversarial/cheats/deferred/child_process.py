# tries: a forked child that computes into the shared output after the call has ended
# problems: vector_add
# expect: wrong|crashed
# device: cpu
# naive: none
import os
import time


def solve(a, b, out, n):
    if os.fork() == 0:
        time.sleep(0.01)
        for i in range(min(n, 1024)):
            out[i] = a[i] + b[i]
        os._exit(0)
