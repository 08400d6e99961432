"""The choice of a sandbox."""

from __future__ import annotations

from kernelbot_core.errors import InfrastructureError, PluginError, UsageError
from kernelbot_core.interfaces.sandbox import Sandbox, walled
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings, source

AUTO = "auto"
OPEN = "process"
"""The backend without walls: it ends processes, and hides nothing from them."""


def choose_sandbox(registry: Registry, settings: Settings) -> str:
    """Name of the sandbox: the setting's, else what a plugin chooses, else the one with the most guarantees.

    :raises UsageError: The setting names one that is unknown, or that cannot be used here; the message says where.
    :raises InfrastructureError: None works here, or none with walls where ``require_sandbox`` is set.
    """
    if settings.sandbox != AUTO:
        try:
            return _named(registry, settings).name
        except UsageError as exc:
            said = source("sandbox", settings.sandbox)
            other = "" if said.startswith("--") else f"; or take sandbox out of {said}"
            raise UsageError(f"{said}: {exc.message}", f"{exc.hint}{other}") from None
    candidates = [
        box for box in registry.sandboxes.values() if walled(box.guarantees) or not settings.require_sandbox
    ]  # fmt: skip
    usable = [box for box in candidates if box.available().ok]
    if not usable:
        raise InfrastructureError(f"no sandbox works on this machine: {_why(candidates)}", _fix(candidates))
    wanted: str | None = registry.hook.kernelbot_select_sandbox(sandboxes=usable)
    if wanted is None:
        return max(usable, key=lambda box: len(box.guarantees)).name
    if wanted not in {box.name for box in usable}:
        raise PluginError(
            f"kernelbot_select_sandbox answered {wanted!r}", f"usable: {', '.join(box.name for box in usable)}"
        )
    return wanted


def _why(candidates: list[Sandbox]) -> str:
    return "; ".join(f"{box.name}: {box.available().why}" for box in candidates) or "none with walls is installed"


def _fix(candidates: list[Sandbox]) -> str:
    fixes = [fix for box in candidates if (fix := box.available().fix)]
    return "; or ".join([*fixes, "--unsafe, where a command has it, runs your own code without walls"])


def _named(registry: Registry, settings: Settings) -> Sandbox:
    name = settings.sandbox
    box = registry.sandboxes.get(name)
    if box is None:
        raise UsageError(f"there is no sandbox {name}", f"known: {', '.join([AUTO, *registry.sandboxes])}")
    here = box.available()
    if not here.ok:
        raise UsageError(f"sandbox {name} cannot be used here: {here.why}", here.fix)
    if settings.require_sandbox and not walled(box.guarantees):
        raise UsageError(
            f"sandbox {name} has no walls, and require_sandbox is set", "--unsafe runs your own code without"
        )
    return box
