"""Which store a command uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kernelbot_core.cli._say import say
from kernelbot_core.engine.archive import check_store, open_store, require_store, store_exists
from kernelbot_core.interfaces.store import Store
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import load_settings, origin
from kernelbot_core.text import without_password


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


def open_told(found: Registry, url: str, named: str | None) -> Store:
    """Open the store, and say so when it is a new one.

    :param named: What ``--store`` says; None means nothing.
    """
    with tell_new(found, url, named):
        return open_store(found, url)


@contextmanager
def tell_new(found: Registry, url: str, named: str | None) -> Iterator[None]:
    """Say that the block has made a store: somebody may have misspelt it. Nobody has named the default."""
    source = origin("store", named)
    new = bool(source) and not store_exists(found, url)
    yield
    if new:
        say(f"note: {source}: there was no store at {without_password(url)}; made a new one", err=True)
