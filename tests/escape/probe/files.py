"""Reading what is hidden, writing what is not ours, and changing the view itself."""

import glob
import os
import sys

from attempt import attempt, granted

MS_REMOUNT_BIND = 32 | 4096
NODES = ("/dev/mem", "/dev/kmem", "/dev/port", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control",
         "/dev/uinput", "/dev/kmsg", "/dev/vhost-net", "/dev/vsock")  # fmt: skip
KNOBS = ("core_pattern", "modprobe", "hostname", "panic", "sysrq", "randomize_va_space")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, mode="ab"):
    with open(path, mode):
        return True


@attempt
def read_a_secret(world):
    return b"secret" in read(world["secret"])


@attempt
def settings_of_the_machine(world):
    return os.listdir("/usr/local/etc") or None


@attempt
def read_hidden_tests(world):
    return os.listdir(world["hidden"])


@attempt
def list_other_submissions(world):
    return os.listdir(os.path.dirname(world["hidden"]))


@attempt
def read_the_accounts(world):
    return len(read("/etc/passwd").splitlines()) > 5


@attempt
def read_shadow(world):
    return read("/etc/shadow")


@attempt
def list_homes(world):
    python = [part for path in (sys.prefix, sys.base_prefix) for part in path.split("/")]
    homes = [place for place in ("/home", "/root") if os.path.isdir(place)]
    return [entry for place in homes for entry in os.listdir(place) if entry not in python]


@attempt
def read_the_journal(world):
    return [path for path in glob.glob("/var/log/*") if os.path.isfile(path) and read(path)]


@attempt
def write_usr(world):
    return write("/usr/escaped")


@attempt
def write_etc(world):
    return write("/etc/escaped")


@attempt
def write_the_root(world):
    return write("/escaped")


@attempt
def write_var_tmp(world):
    return write("/var/tmp/escaped")


@attempt
def write_a_pth(world):
    return write(world["site"] + "/escaped.pth")


@attempt
def write_dev(world):
    return write("/dev/escaped")


@attempt
def overwrite_an_input_of_the_judge(world):
    return os.path.exists(world["input"]) and write(world["input"])


@attempt
def open_kernel_settings(world):
    return [os.close(os.open(f"/proc/sys/kernel/{knob}", os.O_WRONLY)) for knob in KNOBS]


@attempt
def trigger_sysrq(world):
    return os.open("/proc/sysrq-trigger", os.O_WRONLY)


@attempt
def remount_writable(world):
    return granted(165, b"none", b"/", None, MS_REMOUNT_BIND, None)


@attempt
def mount_tmpfs(world):
    return granted(165, b"none", b"/tmp", b"tmpfs", 0, None)


@attempt
def mount_proc(world):
    return granted(165, b"proc", b"/proc", b"proc", 0, None)


@attempt
def uncover_by_umount(world):
    return any(granted(166, place, 2) for place in (b"/tmp", b"/dev/shm", b"/proc", b"/"))


@attempt
def chroot(world):
    return os.chroot("/tmp") is None


@attempt
def handle_of_a_file(world):
    import ctypes

    return granted(303, -100, b"/usr", ctypes.create_string_buffer(b"\x80\0\0\0", 256), ctypes.byref(ctypes.c_int()), 0)


@attempt
def make_a_disk_node(world):
    return os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0)) is None


@attempt
def make_a_fifo(world):
    os.mkfifo(world["bait"] + str(os.getpid()))
    return True


@attempt
def open_device_nodes(world):
    found = False
    for node in NODES:
        try:
            os.close(os.open(node, os.O_RDWR))
            found = True
        except OSError:
            continue
    return found


@attempt
def write_cgroups(world):
    return [write(path) for path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)[:50]]


@attempt
def see_cgroups(world):
    return os.path.isdir("/sys/fs/cgroup")


@attempt
def inherited_descriptors(world):
    found = [fd for fd in range(3, 256) if os.path.exists(f"/proc/self/fd/{fd}")]
    return [fd for fd in found if not os.readlink(f"/proc/self/fd/{fd}").startswith("/proc")]


@attempt
def root_of_the_first_process(world):
    return os.path.exists("/proc/1/root" + world["secret"]) or os.path.exists("/proc/1/cwd" + world["secret"])
