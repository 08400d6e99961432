"""Parts of the kernel that no kernel of a participant needs."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import socket
import struct
import termios

from attempt import LIBC, attempt, granted, syscall


@attempt
def io_uring(world):
    return granted(425, 4, ctypes.create_string_buffer(120))


@attempt
def bpf(world):
    return granted(321, 0, (ctypes.c_uint32 * 32)(1, 4, 4, 1), 128)


@attempt
def perf_events(world):
    event = ctypes.create_string_buffer(128)
    event[0:16] = (1).to_bytes(4, "little") + (128).to_bytes(4, "little") + (1).to_bytes(8, "little")
    event[40:48] = (0x60).to_bytes(8, "little")  # leave the kernel and the hypervisor out, which anybody may
    return granted(298, event, 0, -1, -1, 0)


@attempt
def watches_on_files_of_the_host(world):
    return granted(294, 0)


@attempt
def userfaults(world):
    return granted(323, 1)


@attempt
def modules_and_the_like(world):
    calls = [(175, b"", 0, b""), (246, 0, 0, None, 0), (167, b"/tmp/none", 0), (163, None), (170, b"escaped", 7),
             (169, 0, 0, 0, 0)]  # fmt: skip
    return any(granted(*call) for call in calls)


@attempt
def kernel_log(world):
    return granted(103, 3, ctypes.create_string_buffer(64), 64)


@attempt
def addresses_of_the_kernel(world):
    with open("/proc/kallsyms") as file:
        return any(int(line.split()[0], 16) for line in list(file)[:100])


@attempt
def old_system_calls(world):
    """getpid by int 0x80: the 32-bit table has other numbers, so a filter by number must refuse all of it."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


@attempt
def x32_system_calls(world):
    return syscall(0x40000000 | 39) == os.getpid()


@attempt
def type_into_a_terminal(world):
    _, end = os.openpty()
    os.setsid()
    fcntl.ioctl(end, termios.TIOCSCTTY, 0)
    return fcntl.ioctl(end, termios.TIOCSTI, b"x") is not None


@attempt
def run_before_everybody(world):
    with contextlib.suppress(OSError):
        os.nice(-5)
        return True
    return os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) is None


@attempt
def raise_limits(world):
    for what in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        hard = resource.getrlimit(what)[1]
        if hard != resource.RLIM_INFINITY:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(what, (hard + 1, hard + 1))
                return True
    return False


@attempt
def no_limit_of_processes(world):
    limit = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    return limit == resource.RLIM_INFINITY or limit > 4096


@attempt
def switch_randomisation_off(world):
    return LIBC.personality(0x0040000) >= 0


@attempt
def secret_memory(world):
    return granted(447, 0)


@attempt
def segment_table(world):
    return granted(154, 0, ctypes.create_string_buffer(64), 64)


@attempt
def watch_files(world):
    return granted(300, 0x200, 0)


@attempt
def adjust_the_clock(world):
    return granted(159, ctypes.create_string_buffer(256))


@attempt
def advise_another(world):
    buffer = ctypes.create_string_buffer(4096)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 4096)
    return granted(440, os.pidfd_open(os.getpid()), vector, 1, 20, 0)


@attempt
def list_file_systems(world):
    return granted(139, 3)


@attempt
def holes_in_shared_memory(world):
    fd = os.memfd_create("x")
    os.write(fd, b"1" * 8192)
    held = mmap.mmap(fd, 8192)
    with contextlib.suppress(OSError):
        held.madvise(mmap.MADV_REMOVE)
    granted(285, fd, 3, 0, 4096)
    return held[:1] != b"1"


@attempt
def connections_that_linger(world):
    with socket.socket() as line:
        return line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 1000)) is None
