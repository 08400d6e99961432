"""Holds a pack against itself behind walls: its reference, its inputs and its checks are code too."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from kernelbot_core.engine.sandbox import choose_sandbox
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.interfaces.sandbox import Exit, Mount, Process, Sandbox, SandboxLimits, walled
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.check import check_files
from kernelbot_core.packs.finding import Finding
from kernelbot_core.packs.planned import unsaid
from kernelbot_core.plugins import Registry
from kernelbot_core.runner.folder import scratch
from kernelbot_core.runner.visible import PATHS, interpreter, named, packages
from kernelbot_core.settings import Settings

LIMITS = SandboxLimits(wall_s=600.0, memory=32 << 30, output=1 << 16)
LINE, LINES = 1 << 14, 10_000
"""Bytes of a finding, and how many of them are listened to."""
GROUPS = ("pack", "cell", "property")


def check_behind_walls(registry: Registry, settings: Settings, problem: Problem) -> Iterator[Finding]:
    """The findings of ``pack check`` but for the samples, which the judge takes one by one in sandboxes of their own.

    The pack's code runs in the sandbox, without network or device; nothing of it is imported here. A check that says
    less than it has to is a bad finding, however it ended.

    :raises InfrastructureError: There are no walls here, or the sandbox does not start.
    """
    name = choose_sandbox(registry, settings)
    if not walled(registry.sandboxes[name].guarantees):
        raise InfrastructureError(
            f"the sandbox {name} has no walls", "`kernelbot pack check --unsafe` checks your own pack without"
        )
    yield from check_files(problem)
    said: list[Finding] = []
    with scratch("review") as folder, contextlib.ExitStack() as ends:
        read, write = os.pipe()
        pipe = ends.enter_context(os.fdopen(read, "rb"))
        try:
            process = _start(registry, registry.sandboxes[name], problem, folder, write)
        finally:
            os.close(write)
        ends.callback(process.kill)
        try:
            for finding in _heard(pipe):
                said.append(finding)
                yield finding
        except msgspec.MsgspecError:
            yield _end("the check said something that is no finding")
            return
        ended = process.wait(LIMITS.wall_s) or process.kill("timeout")
    yield from _gap(problem, said, ended)


def _start(registry: Registry, sandbox: Sandbox, problem: Problem, folder: Path, write: int) -> Process:
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8"}
    env |= {name: os.environ[name] for name in PATHS if name in os.environ}
    modules = packages(*(plugin.module for plugin in registry.plugins))
    places = [*interpreter(), *modules, *named(env), problem.path]
    command = [sys.executable, "-I", "-B", "-m", "kernelbot_core.packs.say", str(write), problem.path]
    try:
        return sandbox.start(
            command, env=env | {"HOME": str(folder), "TMPDIR": str(folder)}, folder=str(folder),
            mounts=[Mount(path=place) for place in places], limits=LIMITS, fds=[write],
        )  # fmt: skip
    except OSError as exc:
        raise InfrastructureError(f"the sandbox does not start: {exc}", "see `kernelbot doctor`") from exc


def _heard(pipe: BinaryIO) -> Iterator[Finding]:
    """Findings until the other side has ended; raises MsgspecError at the first that is none."""
    for count in itertools.count():
        line = pipe.readline(LINE)
        if not line:
            return
        finding = msgspec.json.decode(line, type=Finding)
        if finding.group not in GROUPS or count >= LINES:
            raise msgspec.ValidationError("no finding of a pack's code")
        yield finding


def _gap(problem: Problem, said: list[Finding], ended: Exit) -> Iterator[Finding]:
    """A bad finding for a check that is not whole."""
    gone = unsaid(problem, said)
    if ended.code == 0 and (not gone or any(finding.ok is False for finding in said)):
        return
    how = ended.killed or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}")
    why = f"the check ended with {how}"
    if gone:
        why += f" before it had looked at {gone[0][1]}: {gone[0][2]}"
    last = (ended.output.strip().splitlines() or [""])[-1]
    yield _end(f"{why}: {last[:300]}" if last else why)


def _end(why: str) -> Finding:
    return Finding("pack", "problem.py", "end", False, why)
