"""Which store a command uses."""

from __future__ import annotations

from kernelbot_core.engine.archive import check_store, require_store
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import load_settings, origin


def store_to_write(found: Registry, named: str | None) -> str:
    """URL of the setting's store, or of the one that ``--store`` names; either may be new.

    :raises UsageError: No store can have that URL; the message says where it comes from.
    """
    url = load_settings(store=named).store
    check_store(found, url, origin("store", named))
    return url


def store_to_read(found: Registry, named: str | None) -> str:
    """The same, but the one that ``--store`` names must be there.

    :raises UsageError: There is no store where ``--store`` says.
    """
    url = store_to_write(found, named)
    if named is not None:
        require_store(found, url)
    return url
