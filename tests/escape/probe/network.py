"""Talking to anybody: sockets of every kind, and memory and queues of the system."""

import os
import socket

from attempt import LIBC, attempt, granted

FAMILIES = {"VSOCK": 40, "PACKET": 17, "ALG": 38, "XDP": 44, "BLUETOOTH": 31, "CAN": 29, "TIPC": 30, "KEY": 15}


@attempt
def tcp_to_the_host(world):
    return socket.create_connection(("127.0.0.1", world["tcp"]), 2)


@attempt
def tcp6_to_the_host(world):
    with socket.socket(socket.AF_INET6) as line:
        line.settimeout(2)
        return line.connect_ex(("::ffff:127.0.0.1", world["tcp"])) == 0


@attempt
def udp_to_the_host(world):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(2)
        line.sendto(b"anybody?", ("127.0.0.1", world["udp"]))
        return line.recv(16) == b"here"


@attempt
def interfaces_but_lo(world):
    with open("/proc/net/dev") as file:
        return len(file.readlines()) > 3


@attempt
def abstract_socket(world):
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect("\0" + world["abstract"]) is None


@attempt
def pathname_socket(world):
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect(world["socket"]) is None


@attempt
def strange_families(world):
    made = []
    for family in FAMILIES.values():
        try:
            made.append(socket.socket(family, socket.SOCK_SEQPACKET if family == 38 else socket.SOCK_STREAM))
        except OSError:
            continue
    return made


@attempt
def kernel_crypto(world):
    return socket.socket(38, socket.SOCK_SEQPACKET)


@attempt
def vsock(world):
    return socket.socket(40, socket.SOCK_STREAM)


@attempt
def packets(world):
    return socket.socket(17, socket.SOCK_RAW)


@attempt
def sysv_memory(world):
    return LIBC.shmget(world["shm_key"], 0, 0) >= 0


@attempt
def posix_memory(world):
    with open("/dev/shm/" + world["shm_name"], "rb") as file:
        return file.read()


@attempt
def message_queue(world):
    return LIBC.mq_open(b"/" + world["queue"].encode(), os.O_RDWR) >= 0


@attempt
def keyring(world):
    return granted(248, b"user", b"escaped", b"x", 1, -3)


@attempt
def keyring_of_the_user(world):
    return granted(250, 0, -4, 1)
