"""What a sandbox costs: start, end by itself, and clean-up after a kill; ``python benchmarks/sandbox_start.py [OUT]``.

Start: from the call to the first byte that the process writes, for a small C program, so that the interpreter is not
part of it. Clean-up: from the kill of a process with two children in sessions of their own to the return, when nothing
is left. ``bare`` is the same by fork and exec alone. Milliseconds.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from kernelbot_core import SandboxLimits
from kernelbot_core.plugins import registry

PARTS = ("start", "end", "clean_up")
ROUNDS = 60
LIMITS = SandboxLimits(wall_s=60, memory=1 << 30, pids=64, disk=64 << 20)
HELLO = 'echo x >&"$1"; exec sleep "$2"'
FAMILY = 'setsid sleep 60 & setsid sleep 60 & echo x >&"$1"; exec sleep 60'


def bare(script, fd, seconds):
    process = subprocess.Popen(["/bin/sh", "-c", script, "sh", str(fd), seconds], pass_fds=[fd], env={})
    return process, lambda: (process.kill(), process.wait())


def boxed(box):
    def start(script, fd, seconds):
        command = ["/bin/sh", "-c", script, "sh", str(fd), seconds]
        env = {"PATH": "/usr/bin:/bin"}
        process = box.start(command, env=env, folder=tempfile.gettempdir(), mounts=[], limits=LIMITS, fds=[fd])
        return process, process.kill

    return start


def once(start, script, seconds):
    reader, writer = os.pipe()
    began = time.perf_counter()
    process, kill = start(script, writer, seconds)
    os.close(writer)
    os.read(reader, 2)
    up = time.perf_counter()
    if seconds == "0":
        process.wait()
    else:
        kill()
    down = time.perf_counter()
    os.close(reader)
    return up - began, down - up


def summary(values):
    ordered = sorted(values)
    return {"median": statistics.median(ordered) * 1e3, "p90": ordered[int(len(ordered) * 0.9)] * 1e3}


def measure(start, family):
    for _ in range(3):
        once(start, HELLO, "0")
    ends = [once(start, HELLO, "0") for _ in range(ROUNDS)]
    kills = [once(start, FAMILY if family else HELLO, "60") for _ in range(ROUNDS)]
    return {
        "start": summary([up for up, _ in ends]), "end": summary([down for _, down in ends]),
        "clean_up": summary([down for _, down in kills]),
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, nargs="?", help="JSON file for the figures")
    out = parser.parse_args().out
    boxes = {name: box for name, box in registry().sandboxes.items() if box.available().ok}
    found = {"bare": measure(bare, family=False)} | {name: measure(boxed(box), True) for name, box in boxes.items()}
    print(f"{'':10s}{'start':>18s}{'end':>18s}{'clean-up':>18s}    ms, median (p90), n = {ROUNDS}")
    for name, row in found.items():
        cells = "".join(f"{row[part]['median']:10.1f} ({row[part]['p90']:5.1f})" for part in PARTS)
        print(f"{name:10s}{cells}")
    over = found["bwrap"]["start"]["median"] - found["bare"]["start"]["median"] if "bwrap" in found else None
    if over is not None:
        print(f"bwrap starts {over:.1f} ms after the bare process")
    if out:
        about = {name: box.about() for name, box in boxes.items()}
        kernel = f"{platform.system()} {platform.release()}, {os.cpu_count()} cores"
        out.write_text(json.dumps({"machine": kernel, "about": about, "ms": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
