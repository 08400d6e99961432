"""Other processes: seeing, reading, ending, becoming them."""

import contextlib
import ctypes
import glob
import os
import signal
import subprocess
import time

from attempt import LIBC, attempt, capabilities, granted, syscall

NEW = {"user": 0x10000000, "mount": 0x00020000, "network": 0x40000000}


def all_of(name):
    for path in glob.glob(f"/proc/[0-9]*/{name}"):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            yield path, file.read()


def child():
    """A process of our own to try things on: what is refused there is refused everywhere."""
    pid = os.fork()
    if pid == 0:
        time.sleep(20)
        os._exit(0)
    return pid


@attempt
def see_other_processes(world):
    return any(world["marker"].encode() in line and line.startswith(b"/bin/sh") for _, line in all_of("cmdline"))


@attempt
def token_in_any_environment(world):
    return any(world["token"].encode() in text for _, text in all_of("environ"))


@attempt
def token_in_own_environment(world):
    return world["token"] in " ".join(os.environ.values())


@attempt
def kill_a_bystander(world):
    with open(f"/proc/{world['bystander']}/cmdline") as file:
        return world["marker"] in file.read() and os.kill(world["bystander"], 0) is None


@attempt
def signal_everybody(world):
    seen = {int(path.split("/")[2]) for path, _ in all_of("cmdline")}
    others = seen - {os.getpid(), os.getppid(), 1}
    reached = [pid for pid in others if os.access(f"/proc/{pid}", os.R_OK) and os.kill(pid, 0) is None]
    return len(reached) > 3


@attempt
def trace(world):
    pid = child()
    try:
        return granted(101, 0x4206, pid, 0, 0)
    finally:
        os.kill(pid, signal.SIGKILL)


@attempt
def read_memory_of_another(world):
    pid = child()
    buffer = ctypes.create_string_buffer(8)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    try:
        return granted(310, pid, vector, 1, vector, 1, 0)
    finally:
        os.kill(pid, signal.SIGKILL)


@attempt
def take_a_descriptor(world):
    pid = child()
    try:
        return granted(438, os.pidfd_open(pid), 0, 0)
    finally:
        os.kill(pid, signal.SIGKILL)


@attempt
def compare_kernel_objects(world):
    return granted(312, os.getpid(), os.getpid(), 0, 0, 0)


@attempt
def capabilities_left(world):
    return capabilities() != 0


@attempt
def new_privileges(world):
    with open("/proc/self/status") as file:
        return "NoNewPrivs:\t0" in file.read()


@attempt
def set_user_id_program(world):
    with subprocess.Popen(["su"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as su:
        time.sleep(0.2)
        with open(f"/proc/{su.pid}/status") as file:
            effective = next(line.split()[2] for line in file if line.startswith("Uid"))
        su.kill()
        return effective == "0"


@attempt
def become_root(world):
    return LIBC.setuid(0) == 0


@attempt
def unshare_user(world):
    return granted(272, NEW["user"])


@attempt
def unshare_mount(world):
    return granted(272, NEW["mount"])


@attempt
def clone_user(world):
    pid = syscall(56, NEW["user"] | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return True


@attempt
def clone3_network(world):
    arguments = (ctypes.c_uint64 * 8)(NEW["user"] | NEW["network"], 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    pid = syscall(435, arguments, ctypes.sizeof(arguments))
    if pid == 0:
        os._exit(0)
    return True


@attempt
def enter_namespaces(world):
    return any(granted(308, os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0) for name in ("mnt", "net", "pid", "user"))


@attempt
def enter_own_namespace(world):
    return granted(308, os.open("/proc/self/ns/user", os.O_RDONLY), 0) or granted(
        308, os.pidfd_open(os.getpid()), 0x400
    )


@attempt
def name_of_the_host(world):
    return os.uname().nodename == world["host"]


@attempt
def hide_maps(world):
    return LIBC.prctl(4, 0, 0, 0, 0) == 0
