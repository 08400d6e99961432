"""Plain processes below a supervisor."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from kernelbot_core import Availability, Mount, Process, Sandbox, SandboxLimits, start_supervised


class ProcessSandbox(Sandbox):
    """Plain processes: everything is killed and counted, nothing is hidden. For one's own code."""

    name = "process"
    guarantees = frozenset({"kill_all", "memory", "output", "pids", "wall"})

    def available(self) -> Availability:
        if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
            return Availability(ok=False, why="needs Linux 5.3 or newer (pidfd)", fix="run it on Linux, or in WSL 2")
        return Availability(ok=True)

    def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: str,
        mounts: Sequence[Mount],  # noqa: ARG002 - everything is visible here
        limits: SandboxLimits,
        fds: Sequence[int],
    ) -> Process:
        return start_supervised(command, env=env, folder=folder, limits=limits, fds=fds)
