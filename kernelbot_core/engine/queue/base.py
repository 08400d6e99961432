"""The queue as its functions take it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import platformdirs

from kernelbot_core.engine.archive import open_store
from kernelbot_core.engine.queue.db import Database
from kernelbot_core.interfaces.store import Store
from kernelbot_core.plugins import Registry

FILE = "queue.sqlite"
Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Queue:
    """The file of the queue, the store that sources and verdicts go to, and the time (seconds since 1970)."""

    registry: Registry
    store: Store
    database: Database
    clock: Clock = field(default=time.time)

    def close(self) -> None:
        """Close file and store."""
        self.database.close()
        self.store.close()


def open_queue(registry: Registry, store_url: str, *, clock: Clock = time.time) -> Queue:
    """The queue beside a store; several processes may have it open.

    :raises UserError: Store or file cannot be opened.
    """
    return Queue(
        registry=registry,
        store=open_store(registry, store_url),
        database=Database(queue_path(store_url)),
        clock=clock,
    )


def queue_path(store_url: str) -> Path:
    """``queue.sqlite`` in the store's folder, or in the user's data folder when the store is no folder here."""
    scheme, _, rest = store_url.partition("://")
    if scheme == "tinydb" and rest.startswith("/"):
        return Path(unquote(rest)) / FILE
    return Path(platformdirs.user_data_dir("kernelbot")) / FILE
