"""Holds a stranger's pack against itself behind walls: its reference, its inputs and its checks are code too."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

from kernelbot_core.engine.sandbox import choose_sandbox, walled
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.interfaces.sandbox import Exit, Mount, SandboxLimits
from kernelbot_core.plugins import Registry
from kernelbot_core.runner.visible import PATHS, interpreter, named, packages
from kernelbot_core.settings import Settings

WALL_S = 600.0
MEMORY = 32 << 30
OUTPUT = 1 << 18


class Review(Struct, frozen=True, kw_only=True):
    """What ``pack check`` says without the samples, which the judge takes one by one in sandboxes of their own."""

    sound: bool
    text: str
    """As the command prints it."""


def check_behind_walls(registry: Registry, settings: Settings, folder: Path) -> Review:
    """Run ``kernelbot pack check --no-samples`` on a pack in the sandbox, without network or device.

    :param folder: The pack; nothing of it is imported here.
    :raises InfrastructureError: There are no walls here, or the sandbox does not start.
    """
    name = choose_sandbox(registry, settings)
    sandbox = registry.sandboxes[name]
    if not walled(sandbox.guarantees):
        raise InfrastructureError(
            f"the sandbox {name} has no walls", "packs of strangers need some; `kernelbot doctor`"
        )
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "COLUMNS": "100"}
    env |= {name: os.environ[name] for name in PATHS if name in os.environ}
    places = [*interpreter(), *packages(*(plugin.module for plugin in registry.plugins)), *named(env), str(folder)]
    with tempfile.TemporaryDirectory(prefix="kernelbot-review-") as work:
        env |= {"HOME": work, "TMPDIR": work}
        try:
            process = sandbox.start(
                [sys.executable, "-I", "-B", "-m", "kernelbot_core", "pack", "check", "--no-samples", str(folder)],
                env=env, folder=work, mounts=[Mount(path=place) for place in places],
                limits=SandboxLimits(wall_s=WALL_S, memory=MEMORY, output=OUTPUT), fds=[],
            )  # fmt: skip
        except OSError as exc:
            raise InfrastructureError(f"the sandbox does not start: {exc}", "see `kernelbot doctor`") from exc
        ended = process.wait(WALL_S + 30.0) or process.kill("timeout")
    return Review(sound=ended.code == 0, text=_said(ended))


def _said(ended: Exit) -> str:
    if ended.code in (0, 1):
        return ended.output
    how = ended.killed or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}")
    return f"{ended.output}\nthe check ended with {how}".strip()
