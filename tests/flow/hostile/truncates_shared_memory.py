# expect: crashed|wrong
import os


def solve(a, b, out, n):
    for fd in range(3, 256):
        try:
            if "memfd:kernelbot" in os.readlink(f"/proc/self/fd/{fd}"):
                os.ftruncate(fd, 0)
        except FileNotFoundError:
            pass
    for line in open("/proc/self/maps"):
        if "memfd:kernelbot" in line:
            where = line.split()[0]
            with open(f"/proc/self/map_files/{where}", "r+b") as file:
                file.truncate(0)
