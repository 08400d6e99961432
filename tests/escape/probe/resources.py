"""More than was given. The sizes are above the limits that the test sets, and small enough for the machine."""

import os
import signal
import threading
import time

from attempt import attempt

MANY = 300
BIG = 160 << 20


def fill(path):
    try:
        with open(path, "wb", buffering=0) as file:
            while file.tell() < BIG:
                file.write(b"x" * (1 << 20))
        return True
    finally:
        os.unlink(path)


@attempt
def many_processes(world):
    started = []
    try:
        while len(started) < MANY:
            pid = os.fork()
            if pid == 0:
                time.sleep(30)
                os._exit(0)
            started.append(pid)
    finally:
        for pid in started:
            os.kill(pid, signal.SIGKILL)
    return True


@attempt
def many_threads(world):
    end = threading.Event()
    for _ in range(MANY):
        threading.Thread(target=end.wait, daemon=True).start()
    return True


@attempt
def one_big_file(world):
    return fill("big")


@attempt
def fill_tmp(world):
    return fill(f"/tmp/escaped-{os.getpid()}")


@attempt
def fill_shm(world):
    return fill(f"/dev/shm/escaped-{os.getpid()}")


@attempt
def many_files_open(world):
    return len([os.dup(0) for _ in range(8192)]) == 8192
