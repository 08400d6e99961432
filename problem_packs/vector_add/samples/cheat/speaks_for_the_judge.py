#!kernelbot language torch
# expect: protocol
"""Sends an answer of its own over every socket it finds."""
import os
import socket

import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
    for fd in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("socket:"):
                socket.socket(fileno=os.dup(fd)).send(b"DONE" * 64)
        except OSError:
            continue
