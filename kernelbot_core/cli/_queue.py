"""What the commands around the queue share."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from kernelbot_core.cli._store import store_to_read, store_to_write, tell_new
from kernelbot_core.engine.queue import Queue, open_queue
from kernelbot_core.errors import UsageError
from kernelbot_core.plugins import registry


@contextmanager
def opened(store: str | None, *, new: bool = False) -> Iterator[Queue]:
    """The queue beside the store of the setting, or of ``--store``.

    :param new: The store that is named may be a new one: the command has something to write.
    :raises UsageError: There is no store where ``--store`` says.
    """
    found = registry()
    url = store_to_write(found, store) if new else store_to_read(found, store)
    with tell_new(found, url, store):
        queue = open_queue(found, url)
    try:
        yield queue
    finally:
        queue.close()


def short_time(seconds: float | None) -> str:
    """``40 s``, ``5 min``, ``2 h``; rounded up, so that nobody waits longer than it says."""
    if seconds is None:
        return "-"
    if seconds <= 90:
        return f"{-(-seconds // 1):.0f} s"
    return f"{-(-seconds // 60):.0f} min" if seconds <= 5400 else f"{seconds / 3600:.1f} h"


def utc(at: float) -> str:
    """``2026-01-31 12:34:56``."""
    return f"{datetime.datetime.fromtimestamp(at, datetime.UTC):%Y-%m-%d %H:%M:%S}"


def moment(text: str) -> float:
    """Seconds since 1970 of an ISO 8601 moment; UTC unless it says otherwise.

    :raises UsageError: It is none.
    """
    try:
        read = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no moment", "write 2026-01-31T18:00 (UTC)") from None
    return (read if read.tzinfo else read.replace(tzinfo=datetime.UTC)).timestamp()
