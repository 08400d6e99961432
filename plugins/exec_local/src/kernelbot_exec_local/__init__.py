"""Runs jobs on this machine, one at a time per device."""

from __future__ import annotations

from kernelbot_core import Executor, hookimpl
from kernelbot_exec_local._executor import LocalExecutor

__all__ = ["LocalExecutor", "kernelbot_register_executors", "kernelbot_select_executor"]


@hookimpl
def kernelbot_register_executors() -> list[type[Executor]]:
    """Bring the executor ``local``."""
    return [LocalExecutor]


@hookimpl(trylast=True)
def kernelbot_select_executor(executors: list[Executor]) -> str | None:
    """Take the local one when nobody else has said anything."""
    return next((executor.name for executor in executors if executor.name == "local"), None)
