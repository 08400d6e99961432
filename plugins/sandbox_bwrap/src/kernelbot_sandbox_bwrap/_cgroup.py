"""Control groups for one sandbox, where this process may make them; else the supervisor counts by itself."""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path

from kernelbot_core import SandboxLimits

ROOT = Path("/sys/fs/cgroup")
OURS = "kernelbot"
EXTRA_PIDS = 8
"""Processes of bubblewrap itself, setpriv and prlimit."""
SLACK = 64 << 20
_numbers = itertools.count()


def version() -> int:
    """2, 1, or 0 where no group can be made."""
    return 2 if _base2() else 1 if _bases1() else 0


def make(limits: SandboxLimits) -> list[str]:
    """Folders of new groups with the limits set; empty where none can be made."""
    bases = [base] if (base := _base2()) else _bases1()
    name = f"{os.getpid()}-{next(_numbers)}"
    made: list[str] = []
    try:
        for base in bases:
            _sweep(base)
            folder = base / name
            folder.mkdir()
            made.append(str(folder))
            _limit(folder, limits)
    except OSError:
        for folder in map(Path, made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        return []
    return made


def _limit(folder: Path, limits: SandboxLimits) -> None:
    """Files in memory count as memory, so the scratch folders do too.

    The kernel's own limit lies a little above: it counts cached files too, and close to it a process that goes on
    allocating spends seconds on throwing its own libraries out of the cache. The supervisor ends it before that.
    """
    hard = str(limits.memory + max(SLACK, limits.memory // 8))
    if (folder / "memory.max").exists():
        (folder / "memory.max").write_text(hard)
        _maybe(folder / "memory.swap.max", "0")
        _maybe(folder / "memory.oom.group", "1")
    elif (folder / "memory.limit_in_bytes").exists():
        (folder / "memory.limit_in_bytes").write_text(hard)
        _maybe(folder / "memory.memsw.limit_in_bytes", hard)
    if (folder / "pids.max").exists():
        (folder / "pids.max").write_text(str(limits.pids + EXTRA_PIDS))


def _maybe(path: Path, value: str) -> None:
    """Some kernels have no accounting of swap."""
    with contextlib.suppress(OSError):
        path.write_text(value)


def _sweep(base: Path) -> None:
    """Remove groups whose runner was killed; one that still holds processes stays."""
    for folder in base.iterdir():
        pid = folder.name.partition("-")[0]
        if folder.is_dir() and pid.isdigit() and not Path("/proc", pid).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _base2() -> Path | None:
    if not (ROOT / "cgroup.controllers").exists():
        return None
    own = next((line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")), "/")
    for above in dict.fromkeys((ROOT / own.lstrip("/"), ROOT)):
        try:
            given = (above / "cgroup.subtree_control").read_text().split()
            if {"memory", "pids"} <= set(given):
                base = above / OURS
                base.mkdir(exist_ok=True)
                (base / "cgroup.subtree_control").write_text("+memory +pids")
                return base
        except OSError:
            continue
    return None


def _bases1() -> list[Path]:
    """Memory only: joining a second hierarchy costs 6 ms, and the number of processes has a limit inside anyway."""
    base = ROOT / "memory" / OURS
    if not (base.parent / "cgroup.procs").exists():
        return []
    try:
        base.mkdir(exist_ok=True)
    except OSError:
        return []
    return [base] if os.access(base, os.W_OK) else []
