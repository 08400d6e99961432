"""The embedded store: TinyDB files for what people look at, plain files for reports and sources."""

from __future__ import annotations

from kernelbot_core import Store, hookimpl
from kernelbot_store_tinydb._store import TinyStore

__all__ = ["TinyStore", "kernelbot_register_stores"]


@hookimpl
def kernelbot_register_stores() -> list[type[Store]]:
    """Bring the scheme ``tinydb``."""
    return [TinyStore]
