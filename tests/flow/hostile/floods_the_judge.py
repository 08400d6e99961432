# expect: protocol
import os
import socket
import threading

import torch


def flood():
    for fd in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("socket:"):
                end = socket.socket(fileno=os.dup(fd))
                while True:
                    end.send(b"z" * 256)
        except OSError:
            pass


def solve(a, b, out, n):
    threading.Thread(target=flood, daemon=True).start()
    torch.add(a, b, out=out)
