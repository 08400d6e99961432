"""Cores for the judge alone: whoever shares one, or its other thread, puts microseconds into the judge's clock."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path

TOPOLOGY = Path("/sys/devices/system/cpu")
OWN = 2
"""One for the thread that watches, one for threads of driver and runtime: on one they push each other aside."""
FEWEST_LEFT = 4
"""Logical processors that must be left for everybody else; with fewer they would wait for each other."""


def divide(
    allowed: Collection[int], place: int = 0, judges: int = 1, topology: Path = TOPOLOGY
) -> tuple[list[int], list[int]] | None:
    """One judge's logical processors (all threads of two cores) and everybody else's; None when there are too few.

    :param place: Which of the machine's devices this judge is for; each has a judge of its own at the same time. All
        runners must count alike, see :meth:`DeviceVendor.place`.
    :param judges: How many devices there are.
    """
    left, shares = set(allowed), []
    for _ in range(judges):
        own: set[int] = set()
        for _ in range(OWN):
            if left:
                own |= siblings(max(left), topology).intersection(allowed) | {max(left)}
                left -= own
        shares.append(sorted(own))
    return (shares[place], sorted(left)) if len(left) >= FEWEST_LEFT else None


def siblings(cpu: int, topology: Path = TOPOLOGY) -> set[int]:
    """Logical processors of the same core; only itself where the system does not say."""
    try:
        text = (topology / f"cpu{cpu}" / "topology" / "thread_siblings_list").read_text()
        found: set[int] = set()
        for part in text.strip().split(","):
            first, _, final = part.partition("-")
            found |= set(range(int(first), int(final or first) + 1))
    except (OSError, ValueError):
        return {cpu}
    return found


@contextlib.contextmanager
def apart(wanted: bool, place: int = 0, judges: int = 1) -> Iterator[list[int]]:
    """Keep this process, and all that it starts from now on, off the logical processors of judges; gives one's own.

    Empty when it is not wanted or cannot be had. Parameters as in :func:`divide`.
    """
    before = os.sched_getaffinity(0)
    parts = divide(before, place, judges) if wanted else None
    if parts is None:
        yield []
        return
    own, others = parts
    os.sched_setaffinity(0, others)
    try:
        yield own
    finally:
        os.sched_setaffinity(0, before)
