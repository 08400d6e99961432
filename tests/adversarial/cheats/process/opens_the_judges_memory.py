# tries: /proc/PID/mem of its parent and of whatever runs pytest
# problems: vector_add
# expect: passed
# walls: crashed
# gain: reached
import os


def reached():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) not in (os.getpid(), 1):
            try:
                line = open(f"/proc/{entry}/cmdline", "rb").read()
                if b"pytest" in line or b"kernelbot" in line or b"naive.py" in line:
                    open(f"/proc/{entry}/mem", "rb").close()
                    return True
            except OSError:
                continue
    return False


def solve(*args):
    if not reached():
        raise PermissionError("nobody's memory can be opened")
    honest(*args)
