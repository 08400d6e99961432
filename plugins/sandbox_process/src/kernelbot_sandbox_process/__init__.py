"""The plain-process sandbox: limits and a sure end, but no walls."""

from __future__ import annotations

from kernelbot_core import Sandbox, hookimpl
from kernelbot_sandbox_process._sandbox import ProcessSandbox

__all__ = ["ProcessSandbox", "kernelbot_register_sandboxes"]


@hookimpl
def kernelbot_register_sandboxes() -> list[type[Sandbox]]:
    """Bring the sandbox ``process``."""
    return [ProcessSandbox]
