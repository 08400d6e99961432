"""Places and ties."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kernelbot_core import Entry, Standing
from kernelbot_ranking_geomean._cells import Line

ROUNDING = 1e-9
"""Slack in a comparison of logarithms: the unit of time must not decide who ties."""


def place(lines: Sequence[Line], tie: float, order: Sequence[str]) -> list[Standing]:
    """Give places: those within the tie of their group's leader share its place.

    The tie is the given one, or what the *leader's* measurement resolves when that is coarser. Not the follower's:
    otherwise making one's own times noisy would be a way to a shared first place.

    :param tie: Relative; 0.01 is 1 %. The problem's, or what whole runs differ by.
    :param order: Inside a group: ``time`` = earlier submission first, ``lines`` = fewer lines of code first.
    """
    rest = sorted(lines, key=lambda line: (line.score, line.entry.submitted, line.entry.id))
    standings: list[Standing] = []
    while rest:
        leader = rest[0]
        reach = math.log1p(max(tie, leader.resolution)) + ROUNDING
        group = [line for line in rest if math.log(line.score / leader.score) <= reach]
        rest = rest[len(group) :]
        rank = len(standings) + 1
        group.sort(key=lambda line: _inside(line.entry, order))
        standings += [_standing(rank, line, tied=len(group) > 1) for line in group]
    return standings


def _standing(rank: int, line: Line, *, tied: bool) -> Standing:
    return Standing(rank=rank, entry=line.entry, score=line.score, p99=line.p99, baseline=line.baseline, tied=tied)


def _inside(entry: Entry, order: Sequence[str]) -> tuple[tuple[int, str], ...]:
    keys = [(entry.lines, "") if key == "lines" else (0, entry.submitted) for key in order]
    return (*keys, (0, entry.submitted), (0, entry.id))  # whatever is still equal is told apart in a fixed way
