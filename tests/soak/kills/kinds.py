"""Which process of a job is which. Only descendants of the job's own front end are ever looked at."""

from __future__ import annotations

import psutil

KINDS = ("front end", "runner", "nursery", "supervisor", "sandbox", "judge", "builder", "submission", "baseline")
BLAMED = ("builder", "submission")
"""Processes that are the submission's: killed from outside they look as if they had killed themselves."""


def of_job(front_end: psutil.Process) -> dict[str, list[psutil.Process]]:
    """Every living process of the job, by kind."""
    found: dict[str, list[psutil.Process]] = {kind: [] for kind in KINDS}
    try:
        found["front end"].append(front_end)
        below = front_end.children(recursive=True)
    except psutil.NoSuchProcess:
        return found
    for process in below:
        try:
            kind = _kind(process, process.cmdline())
        except psutil.Error:
            continue
        if kind:
            found[kind].append(process)
    return found


def _kind(process: psutil.Process, words: list[str]) -> str:
    program = process.name()
    if program == "bwrap":  # its command line holds the command inside too
        parent = process.parent()  # the second one is the first process inside, which nobody outside waits for
        return "sandbox" if parent is not None and parent.name() != "bwrap" else ""
    if not program.startswith("python"):  # setpriv and prlimit, on their way to become one
        return ""
    if "kernelbot_exec_local" in words:
        return "runner"
    if any("kernelbot_core.supervisor.nursery" in word for word in words):
        above = process.parent()
        return "nursery" if above is not None and "kernelbot_exec_local" in above.cmdline() else "supervisor"
    if any(word.startswith("--kernelbot-order=") for word in words):
        return "judge"
    if "kernelbot_core.worker.builder" in words:
        return "builder"
    if "kernelbot_core.worker" in words:
        return "baseline" if "/in/baseline/" in words[-1] else "submission"
    return ""
