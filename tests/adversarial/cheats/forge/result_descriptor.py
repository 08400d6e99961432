# tries: a made-up result on every pipe it holds, and away with exit code 0
# problems: vector_add matmul
# expect: crashed|protocol
# gain: forged
import json
import os


def solve(*args):
    for fd in range(3, 256):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("pipe:"):
                os.write(fd, json.dumps({"correct": True, "seconds": 1e-7}).encode() + b"\n")
        except OSError:
            continue
    os._exit(0)


def unused(*args):
    honest(*args)
