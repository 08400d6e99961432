# tries: a descriptor out of another process of the judge, by pidfd_getfd
# problems: vector_add
# expect: passed
# walls: crashed
# gain: reached
import ctypes
import os

PIDFD_OPEN, PIDFD_GETFD = 434, 438
libc = ctypes.CDLL(None, use_errno=True)


def reached():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) not in (os.getpid(), 1):
            try:
                line = open(f"/proc/{entry}/cmdline", "rb").read()
            except OSError:
                continue
            if b"pytest" in line or b"kernelbot" in line or b"naive.py" in line:
                pidfd = libc.syscall(PIDFD_OPEN, int(entry), 0)
                taken = [libc.syscall(PIDFD_GETFD, pidfd, fd, 0) for fd in range(8)] if pidfd >= 0 else []
                for fd in [fd for fd in (pidfd, *taken) if fd >= 0]:
                    os.close(fd)
                if any(fd >= 0 for fd in taken):
                    return True
    return False


def solve(*args):
    if not reached():
        raise PermissionError("no descriptor can be taken")
    honest(*args)
