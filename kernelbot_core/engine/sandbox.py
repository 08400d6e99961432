"""The choice of a sandbox."""

from __future__ import annotations

from kernelbot_core.errors import InfrastructureError, PluginError, UsageError
from kernelbot_core.interfaces.sandbox import Sandbox
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings

AUTO = "auto"
OPEN = "process"
"""The backend without walls: it ends processes, and hides nothing from them."""


def choose_sandbox(registry: Registry, settings: Settings) -> str:
    """Name of the sandbox: the setting's, else what a plugin chooses, else the one with the most guarantees.

    :raises UsageError: The setting names one that is unknown, or that cannot be used here.
    :raises InfrastructureError: None works here, or only plain processes where ``require_sandbox`` is set.
    """
    if settings.sandbox != AUTO:
        chosen = _named(registry, settings.sandbox)
        if settings.require_sandbox and chosen.name == OPEN:
            raise UsageError("require_sandbox is set, and sandbox names plain processes", "set sandbox to auto")
        return chosen.name
    usable = [box for box in registry.sandboxes.values() if box.available().ok]
    if not usable:
        raise InfrastructureError("no sandbox works on this machine", "see `kernelbot doctor`")
    walled = [box for box in usable if not (settings.require_sandbox and box.name == OPEN)]
    if not walled:
        raise InfrastructureError(
            "a sandbox with walls is required, and only plain processes are there", "see `kernelbot doctor`"
        )
    wanted: str | None = registry.hook.kernelbot_select_sandbox(sandboxes=walled)
    if wanted is None:
        return max(walled, key=lambda box: len(box.guarantees)).name
    if wanted not in {box.name for box in walled}:
        raise PluginError(
            f"kernelbot_select_sandbox answered {wanted!r}", f"usable: {', '.join(box.name for box in walled)}"
        )
    return wanted


def _named(registry: Registry, name: str) -> Sandbox:
    box = registry.sandboxes.get(name)
    if box is None:
        raise UsageError(f"there is no sandbox {name}", f"known: {', '.join(registry.sandboxes) or 'none'}")
    here = box.available()
    if not here.ok:
        raise UsageError(f"sandbox {name} cannot be used here: {here.why}", here.fix)
    return box
