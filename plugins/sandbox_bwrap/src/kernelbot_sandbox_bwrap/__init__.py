"""The sandbox ``bwrap``: namespaces, a view of its own, no network, limits, a seccomp filter; by bubblewrap."""

from __future__ import annotations

from kernelbot_core import Sandbox, hookimpl
from kernelbot_sandbox_bwrap._sandbox import BwrapSandbox

__all__ = ["BwrapSandbox", "kernelbot_register_sandboxes"]


@hookimpl
def kernelbot_register_sandboxes() -> list[type[Sandbox]]:
    """Bring the sandbox ``bwrap``."""
    return [BwrapSandbox]
