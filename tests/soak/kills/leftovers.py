"""What a job may leave behind: processes, control groups, mounts, files, locks."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 10.0
"""A machine under load may take its time; what is still there after this stays."""
STEP_S = 0.01


@contextmanager
def adopting() -> Iterator[None]:
    """Be the new parent of every orphan below: whatever outlives a job's processes is then a child of this one."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0)


class Before:
    """This machine before a job, and what the job has added to it since."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._ours = {process.pid for process in psutil.Process().children(recursive=True)}
        self._mounts = _mounts()

    def added(self, pids: set[int]) -> list[str]:
        """One line for each thing that is left.

        :param pids: Every process of the job that has been seen; locks and control groups carry their numbers.
        """
        return [*self._processes(), *_groups(pids), *self._mounted(), *self._files(), *self._locks(pids)]

    def settled(self, pids: set[int]) -> tuple[list[str], float]:
        """What is left once nothing goes away any more, and the seconds until then."""
        began = time.monotonic()
        while (left := self.added(pids)) and time.monotonic() - began < PATIENCE_S:
            time.sleep(STEP_S)
        return left, time.monotonic() - began

    def _processes(self) -> Iterator[str]:
        for process in psutil.Process().children(recursive=True):
            if process.pid in self._ours:
                continue
            try:
                if process.status() == psutil.STATUS_ZOMBIE and process.ppid() == os.getpid():
                    os.waitpid(process.pid, os.WNOHANG)  # adopted and ended: gone with this
                    continue
                yield f"process {process.pid} {process.name()}"
            except (psutil.NoSuchProcess, ChildProcessError):
                continue

    def _mounted(self) -> Iterator[str]:
        for place in _mounts() - self._mounts:
            yield f"mount {place}"

    def _files(self) -> Iterator[str]:
        for path in self._scratch.iterdir():
            if path.suffix != ".lock":  # the file of a lock is no lock; removing it would make two of one
                yield f"{'folder' if path.is_dir() else 'file'} {path.name}"

    def _locks(self, pids: set[int]) -> Iterator[str]:
        ours = {_place(path) for path in self._scratch.glob("*.lock")}
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            place = next(word for word in words if word.count(":") == 2)
            owner = int(words[words.index(place) - 1])
            if owner in pids or place in ours:
                yield f"lock {' '.join(words[1:])}"


def _place(path: Path) -> str:
    found = path.stat()
    return f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"


def _groups(pids: set[int]) -> Iterator[str]:
    """Groups are named after the runner's process id."""
    root = Path("/sys/fs/cgroup")
    own = [
        line[3:].lstrip("/") for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")
    ]
    for base in {root / "kernelbot", *root.glob("*/kernelbot"), *(root / name / "kernelbot" for name in own)}:
        for folder in base.iterdir() if base.is_dir() else ():
            if folder.name.partition("-")[0] in {str(pid) for pid in pids}:
                yield f"control group {folder}"


def _mounts() -> set[str]:
    return {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
