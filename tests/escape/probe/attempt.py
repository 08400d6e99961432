"""Attempts by name, each in a process of its own: what kills or hangs that process has not got out."""

import contextlib
import ctypes
import os
import signal

ATTEMPTS = {}
OUT, HELD, ABSENT = 0, 1, 2
"""Exit codes: it got out, it was held, or there is nothing here to try."""
WORDS = {OUT: "OUT", ABSENT: "n/a"}
LIBC = ctypes.CDLL(None, use_errno=True)


def attempt(function):
    """Register a function that returns true when it got out, None when it makes no sense here."""
    ATTEMPTS[function.__name__] = function
    return function


def syscall(number, *arguments):
    """Raw system call. Raises OSError."""
    LIBC.syscall.restype = ctypes.c_long
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    answer = LIBC.syscall(ctypes.c_long(number), *values)
    if answer == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def granted(number, *arguments):
    """Whether a system call is answered with success; its descriptor, if any, is left open."""
    with contextlib.suppress(OSError):
        return syscall(number, *arguments) >= 0
    return False


def capabilities():
    """The effective ones, as a number."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1], 16) for line in file if line.startswith("CapEff"))


def run(name, world):
    """Word for one attempt."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(10)
        code = HELD
        try:
            result = ATTEMPTS[name](world)
            code = ABSENT if result is None else OUT if result else HELD
        except Exception:  # being refused by an exception is what the walls are for
            code = HELD
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return WORDS.get(os.waitstatus_to_exitcode(status), "held")
