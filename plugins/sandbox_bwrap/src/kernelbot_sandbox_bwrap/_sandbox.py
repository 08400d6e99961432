"""Starts a command behind bubblewrap's walls, below a supervisor."""

from __future__ import annotations

import functools
import math
import os
import resource
import shutil
from collections.abc import Mapping, Sequence

import msgspec

from kernelbot_core import MOST_FILES, Availability, Mount, Process, Sandbox, SandboxLimits, start_supervised
from kernelbot_sandbox_bwrap import _cgroup, _find, _fix, _mode, _plan, _reach, _seccomp

TRIAL = SandboxLimits(wall_s=20, memory=256 << 20, pids=64, disk=16 << 20)


class BwrapSandbox(Sandbox):
    """Namespaces and a view of its own; nothing that it writes reaches this machine."""

    name = "bwrap"
    guarantees = frozenset(
        {"kill_all", "memory", "output", "pids", "wall", "network", "filesystem", "disk", "processes", "devices"}
    )

    def available(self) -> Availability:
        return _available()

    def about(self) -> str:
        found = _find.find()
        groups = _cgroup.version()
        memory = f"control groups v{groups}" if groups else "polling"
        return f"bubblewrap {found.version if found else '?'}, mode {_mode.mode()}, memory by {memory}"

    def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: str,
        mounts: Sequence[Mount],
        limits: SandboxLimits,
        fds: Sequence[int],
    ) -> Process:
        found = _find.find()
        if found is None:
            raise OSError("bubblewrap is not installed")
        mode = _mode.mode()
        held: list[int] = []
        passed: list[int] = []
        try:
            seccomp = _memfd(_seccomp.program(trace=limits.trace), passed)
            words = _plan.options(
                mode, found.options, env=env, folder=folder, mounts=mounts, limits=limits, seccomp=seccomp
            )
            arguments = _memfd(b"".join(os.fsencode(word) + b"\0" for word in words), passed)
            limited = [*_limits(limits, devices=any(mount.device for mount in mounts)), *command]
            bwrap = [found.path, "--args", str(arguments), "--"]
            if mode == "user":
                full = [*bwrap, *limited]
            else:
                uid, lock = _mode.take_uid()
                held.append(lock)
                drop = _drop(uid, _plan.groups(mounts))
                full = [*bwrap, *drop, *limited] if mode == "root" else [*drop, *bwrap, *limited]
            # An empty environment: bubblewrap's own, which its first process inside keeps and shows, is ours otherwise.
            # The limit of processes is set inside; the supervisor's own count includes bubblewrap.
            counted = msgspec.structs.replace(limits, pids=limits.pids + _cgroup.EXTRA_PIDS)
            return start_supervised(
                full, env={}, folder="/", limits=counted, fds=[*fds, *passed], held=held,
                cgroups=_cgroup.make(limits), by_shell=True,
            )  # fmt: skip
        finally:
            for fd in (*held, *passed):
                os.close(fd)


@functools.cache
def _available() -> Availability:
    """By a trial run with the very options of a job; nothing else tells whether the kernel lets us."""
    found = _find.find()
    lacking = _fix.before_trial(found)
    if lacking is None and found is not None and _mode.mode() == "drop":
        lacking = _reach.unreachable(_reach.places(found.path))
    if lacking is not None:
        return lacking
    try:
        process = BwrapSandbox().start(
            ["/usr/bin/true"], env={"PATH": "/usr/bin:/bin"}, folder="/box", mounts=[], limits=TRIAL, fds=[]
        )
    except OSError as exc:
        return Availability(ok=False, why=str(exc), fix="see docs/why/sandbox.md")
    ended = process.wait()
    if ended is not None and ended.code == 0:
        return Availability(ok=True)
    return _fix.after_trial(ended.output if ended else "", found)


def _limits(limits: SandboxLimits, *, devices: bool) -> list[str]:
    """Set inside: outside a new user namespace RLIMIT_NPROC would count everything that this user runs."""
    seconds = math.ceil(limits.wall_s * (os.cpu_count() or 1)) + 1
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    files = limits.files * most // MOST_FILES
    return [
        _tool("prlimit"), f"--nproc={limits.pids}:{limits.pids}", f"--nofile={files}:{files}",
        # Of one file, memfds included: what the tmpfs do not bound.
        f"--fsize={limits.memory}:{limits.memory}", "--core=0:0", f"--cpu={seconds}",
        # A driver pins pages of the process; what is pinned counts as memory like everything else.
        *([] if devices else ["--memlock=65536:65536"]), "--",
    ]  # fmt: skip


def _drop(uid: int, groups: Sequence[int]) -> list[str]:
    wanted = f"--groups={','.join(map(str, groups))}" if groups else "--clear-groups"
    return [
        _tool("setpriv"), f"--reuid={uid}", f"--regid={uid}", wanted, "--inh-caps=-all", "--bounding-set=-all",
        "--no-new-privs", "--",
    ]  # fmt: skip


@functools.cache
def _tool(name: str) -> str:
    path = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if path is None:
        raise FileNotFoundError(f"{name} is not installed")
    return path


def _memfd(data: bytes, kept: list[int]) -> int:
    fd = os.memfd_create("kernelbot-bwrap")
    kept.append(fd)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
