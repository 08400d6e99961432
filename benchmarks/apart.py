"""Judge runs side by side: on one device where nothing is timed, or one on each of several devices."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Results in the order of the items.

    :param function: Can be pickled; runs with a temporary folder of its own, where it waits for no other one's lock.
    """
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        yield from pool.map(partial(_alone, function), items)


def _alone(function: Callable[[Item], Result], item: Item) -> Result:
    with tempfile.TemporaryDirectory() as own:
        tempfile.tempdir = os.environ["TMPDIR"] = own
        return function(item)


def over(
    function: Callable[[Item, str], Result], items: Iterable[Item], devices: Sequence[str], room: Callable[[Item], bool]
) -> Iterator[Result | None]:
    """Results of ``function(item, device)`` in the order of the items, each on the next device that is free.

    :param function: Can be pickled; everything for one device runs in one process, which may remember things.
    :param room: Asked when an item's turn comes; without room its result is None.
    """
    free: SimpleQueue[str] = SimpleQueue()
    for device in devices:
        free.put(device)
    with ExitStack() as stack:
        spawn = get_context("spawn")
        pools = {device: stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn)) for device in devices}

        def one(item: Item) -> Result | None:
            device = free.get()
            try:
                return pools[device].submit(function, item, device).result() if room(item) else None
            finally:
                free.put(device)

        yield from stack.enter_context(ThreadPoolExecutor(len(devices))).map(one, items)
