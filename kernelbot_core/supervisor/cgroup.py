"""Control groups of one sandboxed process, version 1 (one folder per controller) or 2 (one folder)."""

from __future__ import annotations

import contextlib
import os
import signal
import time

PATIENCE_S = 2.0
"""How long a group may stay busy after its last process was killed."""


def join(folders: list[str]) -> None:
    """Move the calling process into the groups."""
    for folder in folders:
        with open(f"{folder}/cgroup.procs", "w") as file:
            file.write("0")


def out_of_memory(folders: list[str]) -> bool:
    """Whether the kernel has killed a process of the groups for memory."""
    for folder in folders:
        for name in ("memory.events", "memory.oom_control"):
            if any(word == "oom_kill" and count != "0" for word, count in _pairs(f"{folder}/{name}")):
                return True
    return False


def held(folders: list[str]) -> int:
    """Bytes of anonymous and shared memory, files in memory included; what is cached of the disk is left out."""
    for folder in folders:
        found = dict(_pairs(f"{folder}/memory.stat"))
        if "anon" in found:
            return int(found["anon"]) + int(found.get("shmem", 0))
        if "total_rss" in found:
            return int(found["total_rss"]) + int(found.get("total_shmem", found.get("shmem", 0)))
    return 0


def peak(folders: list[str]) -> int:
    """Bytes that the groups held at most; 0 where the kernel does not say."""
    found = 0
    for folder in folders:
        for name in ("memory.peak", "memory.max_usage_in_bytes"):
            with contextlib.suppress(OSError, ValueError), open(f"{folder}/{name}") as file:
                found = max(found, int(file.read()))
    return found


def kill(folders: list[str]) -> None:
    """Kill every process of the groups at once, where the kernel can (version 2)."""
    for folder in folders:
        with contextlib.suppress(OSError), open(f"{folder}/cgroup.kill", "w") as file:
            file.write("1")


def remove(folders: list[str]) -> None:
    """Remove the groups; a process that is still dying in one gets a moment."""
    for folder in folders:
        deadline = time.monotonic() + PATIENCE_S
        while os.path.isdir(folder) and time.monotonic() < deadline:
            try:
                os.rmdir(folder)
            except OSError:
                _kill_each(folder)
                time.sleep(0.002)


def _kill_each(folder: str) -> None:
    with contextlib.suppress(OSError, ValueError), open(f"{folder}/cgroup.procs") as file:
        for line in file:
            os.kill(int(line), signal.SIGKILL)


def _pairs(path: str) -> list[tuple[str, str]]:
    try:
        with open(path) as file:
            words = [line.split() for line in file]
    except OSError:
        return []
    return [(two[0], two[1]) for two in words if len(two) == 2]
