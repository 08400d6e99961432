"""Which store a command reads."""

from __future__ import annotations

from kernelbot_core.engine.archive import require_store
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import load_settings


def store_to_read(found: Registry, named: str | None) -> str:
    """URL of the setting's store, which may be new, or of the one that ``--store`` names, which must be there.

    :raises UsageError: There is no store where ``--store`` says.
    """
    if named is not None:
        require_store(found, named)
    return load_settings(store=named).store
