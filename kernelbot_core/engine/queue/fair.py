"""Whose turn it is. No clock, no file: the same answer for starting a job and for saying where one stands."""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Waiting(NamedTuple):
    """What decides about a job's place."""

    id: str
    account: str
    priority: int
    seq: int
    """Order of arrival."""


def serve_order(waiting: Iterable[Waiting], turns: Mapping[str, int]) -> list[Waiting]:
    """Jobs in the order in which they will start if nothing else comes.

    Higher priority first. Inside one, accounts take turns: whoever was served longest ago is next, and of its jobs the
    one that came first. So a hundred jobs of one account delay another account by one job, not by a hundred.

    :param turns: Account -> number of its latest turn; who is missing has had none.
    """
    levels: dict[int, dict[str, deque[Waiting]]] = defaultdict(lambda: defaultdict(deque))
    for job in sorted(waiting, key=lambda job: job.seq):
        levels[job.priority][job.account].append(job)
    last, order = dict(turns), []
    clock = max(last.values(), default=0)
    for _, accounts in sorted(levels.items(), reverse=True):
        heap = [(last.get(name, 0), jobs[0].seq, name) for name, jobs in accounts.items()]
        heapq.heapify(heap)
        while heap:
            _, _, name = heapq.heappop(heap)
            order.append(accounts[name].popleft())
            clock += 1
            last[name] = clock
            if accounts[name]:
                heapq.heappush(heap, (clock, accounts[name][0].seq, name))
    return order
