"""The scratch folders of jobs, by the process id in their names, when who made them cannot remove them any more."""

from __future__ import annotations

import shutil
from pathlib import Path

PREFIX = "kernelbot-job-"
"""Then the runner's process id."""


def sweep(parent: str, ended: int = 0) -> None:
    """Remove the folders below ``parent`` whose runner was killed before it could.

    :param ended: Process id of a runner that has ended although nobody may have waited for it yet.
    """
    for path in Path(parent).glob(f"{PREFIX}[0-9]*-*"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and (int(pid) == ended or not Path(f"/proc/{pid}").exists()):
            shutil.rmtree(path, ignore_errors=True)
