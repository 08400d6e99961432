"""Attempts that end the whole sandbox when they are stopped; ``GOT IT`` is printed by those that are not."""

import ctypes
import mmap
import os
import signal
import socket
import sys
import time

from attempt import LIBC

TOO_MUCH = 600 << 20
PIECE = b"1" * (1 << 20)


def got_it():
    time.sleep(1)
    print("GOT IT", flush=True)


def memory(world):
    held = [bytearray(PIECE) for _ in range(TOO_MUCH >> 20)]
    got_it()
    del held


def shared_memory(world):
    held = mmap.mmap(-1, TOO_MUCH)
    for _ in range(TOO_MUCH >> 20):
        held.write(PIECE)
    got_it()


def anonymous_files(world):
    held = [os.memfd_create("x") for _ in range(6)]
    for fd in held:
        for _ in range((TOO_MUCH >> 20) // 6):
            os.write(fd, PIECE)
    got_it()


def segments(world):
    """System V memory that nobody is attached to any more."""
    LIBC.shmat.restype = ctypes.c_void_p
    for _ in range(6):
        held = LIBC.shmget(0, TOO_MUCH // 6, 0o1600)
        if held < 0:
            raise OSError("no segment")
        place = LIBC.shmat(held, None, 0)
        ctypes.memset(place, 1, TOO_MUCH // 6)
        LIBC.shmdt(ctypes.c_void_p(place))
    got_it()


def files_on_their_way(world):
    """Memory files that are in no table of a process, but between two ends of a socket."""
    ends = socket.socketpair()
    for _ in range(6):
        fd = os.memfd_create("x")
        for _ in range((TOO_MUCH >> 20) // 6):
            os.write(fd, PIECE)
        socket.send_fds(ends[0], [b"x"], [fd])
        os.close(fd)
    got_it()


def many_on_their_way(world):
    """As many descriptors in sockets as the kernel lets this user have."""
    kept = []
    try:
        while True:
            kept.append(socket.socketpair())
            for _ in range(4):
                socket.send_fds(kept[-1][0], [b"x"], [0] * 250)
    except OSError as exc:
        print(exc, flush=True)
    time.sleep(1)


def memory_of_many(world):
    for _ in range(6):
        if os.fork() == 0:
            held = [bytearray(PIECE) for _ in range((TOO_MUCH >> 20) // 6)]
            time.sleep(2)
            del held
            os._exit(0)
    if [os.wait()[1] for _ in range(6)] == [0] * 6:
        got_it()


def never_ends(world):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
    time.sleep(8)
    got_it()


def leaves_a_daemon(world):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    time.sleep(0.3)


def floods(world):
    for _ in range(200):
        sys.stdout.write("x" * (1 << 20))
    sys.stderr.write("y" * (8 << 20))


ENDINGS = {function.__name__: function for function in
           (memory, shared_memory, anonymous_files, segments, files_on_their_way, many_on_their_way, memory_of_many,
            never_ends, leaves_a_daemon, floods)}  # fmt: skip
