#!kernelbot language torch
# expect: wrong
"""Returns at once and works while nobody measures."""

import threading
import time

import torch


def solve(x, y, rows, cols):
    def work():
        time.sleep(0.02)
        torch.softmax(x, dim=-1, out=y)

    threading.Thread(target=work).start()
