#!kernelbot language torch
# expect: protocol
"""Answers once more than it was asked, over every socket that it finds."""

import os
import socket

import torch


def solve(a, b, c, m, n, k):
    torch.matmul(a, b, out=c)
    for fd in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("socket:"):
                socket.socket(fileno=os.dup(fd)).send(b"DONE" * 64)
        except OSError:
            continue
