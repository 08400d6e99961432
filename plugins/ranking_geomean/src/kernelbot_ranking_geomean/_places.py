"""Places and ties."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator, Sequence

import msgspec

from kernelbot_core import Entry, Standing
from kernelbot_ranking_geomean._cells import Line

ROUNDING = 1e-9
"""Slack in a comparison of logarithms: the unit of time must not decide who ties."""


def place(lines: Sequence[Line], tie: float, order: Sequence[str], apart: float = 0.0) -> list[Standing]:
    """Give places: those within the tie of their group's leader share its place.

    The tie is the problem's, or what the *leader's* measurement resolves when that is coarser. Not the follower's:
    otherwise making one's own times noisy would be a way to a shared first place.

    :param tie: Relative; 0.01 is 1 %.
    :param order: Inside a group: ``time`` = earlier submission first, ``lines`` = fewer lines of code first.
    :param apart: Relative; what whole runs differ by. Groups no further than that from the first of a place share it
        too, and keep their order: who is first does not depend on it.
    """
    standings: list[Standing] = []
    best, rank = math.inf, 0
    for group in _groups(lines, tie, order):
        leader = min(line.score for line in group)
        if not standings or math.log(leader / best) > math.log1p(apart) + ROUNDING:
            best, rank = leader, len(standings) + 1
        standings += [_standing(rank, line) for line in group]
    shared = collections.Counter(standing.rank for standing in standings)
    return [msgspec.structs.replace(one, tied=shared[one.rank] > 1) for one in standings]


def _groups(lines: Sequence[Line], tie: float, order: Sequence[str]) -> Iterator[list[Line]]:
    """Those within the tie of the fastest of them, fastest group first."""
    rest = sorted(lines, key=lambda line: (line.score, line.entry.submitted, line.entry.id))
    while rest:
        leader = rest[0]
        reach = math.log1p(max(tie, leader.resolution)) + ROUNDING
        group = [line for line in rest if math.log(line.score / leader.score) <= reach]
        rest = rest[len(group) :]
        yield sorted(group, key=lambda line: _inside(line.entry, order))


def _standing(rank: int, line: Line) -> Standing:
    return Standing(rank=rank, entry=line.entry, score=line.score, p99=line.p99, baseline=line.baseline, tied=False)


def _inside(entry: Entry, order: Sequence[str]) -> tuple[tuple[int, str], ...]:
    keys = [(entry.lines, "") if key == "lines" else (0, entry.submitted) for key in order]
    return (*keys, (0, entry.submitted), (0, entry.id))  # whatever is still equal is told apart in a fixed way
