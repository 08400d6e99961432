"""The system calls that are refused, as a classic BPF program for x86_64.

A list of what is refused, not of what is allowed: the CUDA driver, JIT compilers and Python use too much of the kernel
for the other way round. Numbers: ``arch/x86/entry/syscalls/syscall_64.tbl`` of Linux; program: ``linux/filter.h``,
``linux/seccomp.h``.
"""

from __future__ import annotations

import functools
import struct

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS, EAFNOSUPPORT = ERRNO | 1, ERRNO | 38, ERRNO | 97
NUMBER, ARCH, ARGUMENTS = 0, 4, 16
"""Offsets in ``struct seccomp_data``; each argument takes 8 bytes, its low half first."""
X86_64, X32 = 0xC000003E, 0x40000000

REFUSED = {
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_getfd": 438,
    "process_madvise": 440, "keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298,
    "userfaultfd": 323, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "setns": 308, "unshare": 272,
    "move_mount": 429, "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "mount_setattr": 442, "open_tree_attr": 467, "init_module": 175, "finit_module": 313, "delete_module": 176,
    "kexec_load": 246, "kexec_file_load": 320, "reboot": 169, "swapon": 167, "swapoff": 168, "acct": 163,
    "quotactl": 179, "quotactl_fd": 443, "syslog": 103, "iopl": 172, "ioperm": 173, "settimeofday": 164,
    "clock_settime": 227, "clock_adjtime": 305, "adjtimex": 159, "sethostname": 170, "setdomainname": 171,
    "lookup_dcookie": 212, "name_to_handle_at": 303, "open_by_handle_at": 304, "fanotify_init": 300, "vhangup": 153,
    "inotify_init": 253, "inotify_init1": 294,
    "modify_ldt": 154, "memfd_secret": 447, "nfsservctl": 180, "uselib": 134, "ustat": 136, "sysfs": 139,
    "_sysctl": 156, "personality": 135, "mknod": 133, "mknodat": 259,
}  # fmt: skip
"""Answered with EPERM: other processes, kernel objects, mounts, namespaces, modules, clocks, watches on files."""
TRACING = ("ptrace", "process_vm_readv", "process_vm_writev")
ABSENT = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435,
    "shmget": 29, "semget": 64, "msgget": 68,
}  # fmt: skip
"""Answered with ENOSYS, so that callers take another way. The arguments of clone3 cannot be looked at; what System V
keeps is in nobody's page tables and behind nobody's descriptor, where nobody could count it."""
CLONE, SOCKET, IOCTL, PRCTL, SETSOCKOPT, MADVISE, FALLOCATE = 56, 41, 16, 157, 54, 28, 285
NEW_NAMESPACES = 0x7E020000
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}
"""The only socket families; the network namespace has no interface but lo."""
TERMINAL = {"TIOCSTI": 0x5412, "TIOCLINUX": 0x541C}
PR_SET_DUMPABLE = 4
SOL_SOCKET, SO_LINGER = 1, 13
MADV_REMOVE, FALLOC_FL_PUNCH_HOLE = 9, 2

Step = tuple[int, int, int, int]


@functools.cache
def program(*, trace: bool = False) -> bytes:
    """The filter, as ``bwrap --seccomp`` reads it.

    :param trace: Allow what memory checkers do to processes of their own; others are not seen in the namespace.
    """
    steps: list[Step] = [
        (LOAD, 0, 0, ARCH), (EQUAL, 1, 0, X86_64), (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), (RETURN, 0, 0, KILL),
    ]  # fmt: skip
    for numbers, answer in ((REFUSED, EPERM), (ABSENT, ENOSYS)):
        for name, number in numbers.items():
            steps += [] if trace and name in TRACING else _when(number, answer)
    steps += _call(CLONE, [(LOAD, 0, 0, _argument(0)), (ANY_BIT, 0, 1, NEW_NAMESPACES), (RETURN, 0, 0, EPERM)])
    families = [step for family in FAMILIES.values() for step in _when(family, ALLOW)]
    steps += _call(SOCKET, [(LOAD, 0, 0, _argument(0)), *families, (RETURN, 0, 0, EAFNOSUPPORT)])
    requests = [step for request in TERMINAL.values() for step in _when(request, EPERM)]
    steps += _call(IOCTL, [(LOAD, 0, 0, _argument(1)), *requests])
    # A process that hides its maps would hide its memory from the supervisor.
    hide = [(LOAD, 0, 0, _argument(0)), (EQUAL, 0, 3, PR_SET_DUMPABLE), (LOAD, 0, 0, _argument(1)), *_when(0, EPERM)]
    steps += _call(PRCTL, hide)
    # Such a socket, sent to the judge, would hold whoever closes it for as long as the sender likes.
    linger = [(LOAD, 0, 0, _argument(1)), (EQUAL, 0, 3, SOL_SOCKET), (LOAD, 0, 0, _argument(2))]
    steps += _call(SETSOCKOPT, [*linger, *_when(SO_LINGER, EPERM)])
    # Where the judge writes into a hole that was made in an input, the page is there again: that tells what it wrote.
    steps += _call(MADVISE, [(LOAD, 0, 0, _argument(2)), *_when(MADV_REMOVE, EPERM)])
    hole = [(LOAD, 0, 0, _argument(1)), (ANY_BIT, 0, 1, FALLOC_FL_PUNCH_HOLE), (RETURN, 0, 0, EPERM)]
    steps += _call(FALLOCATE, hole)
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", code, yes, no, value) for code, yes, no, value in steps)


def _argument(place: int) -> int:
    return ARGUMENTS + 8 * place


def _when(value: int, answer: int) -> list[Step]:
    return [(EQUAL, 0, 1, value), (RETURN, 0, 0, answer)]


def _call(number: int, body: list[Step]) -> list[Step]:
    """``body`` for one system call; what it does not answer is allowed."""
    return [(EQUAL, 0, len(body) + 1, number), *body, (RETURN, 0, 0, ALLOW)]
