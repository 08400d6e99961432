"""Judge runs that nobody times, several at once: each in a process and with a lock of the device of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
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
