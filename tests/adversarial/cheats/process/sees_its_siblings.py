# tries: a process to signal: the baseline's worker, the judge; signal 0 only, which harms nobody
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
                if b"pytest" in line or b"baseline" in line or b"naive.py" in line:
                    os.kill(int(entry), 0)
                    return True
            except OSError:
                continue
    return False


def solve(*args):
    if not reached():
        raise PermissionError("there is nobody to signal")
    honest(*args)
