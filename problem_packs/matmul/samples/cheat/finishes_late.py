#!kernelbot language torch
# expect: wrong
"""Returns at once; a thread does the work while the clock has already stopped."""
import threading
import time

import torch

if torch.cuda.is_available():
    own = torch.cuda.Stream()


def solve(a, b, c, m, n, k):
    def work():
        time.sleep(0.05)
        if c.is_cuda:
            with torch.cuda.stream(own):
                c.copy_(a.float() @ b.float())
        else:
            c.copy_(a.float() @ b.float())

    threading.Thread(target=work, daemon=True).start()
