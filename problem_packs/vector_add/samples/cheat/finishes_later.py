#!kernelbot language torch
# expect: wrong
"""Returns at once and works in a thread."""
import threading
import time

import torch


def solve(a, b, out, n):
    def work():
        time.sleep(0.02)
        torch.add(a, b, out=out)

    threading.Thread(target=work).start()
