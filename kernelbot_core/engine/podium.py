"""The first three of a board, and what changed among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from kernelbot_core.engine.rank import standings
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.plugins import Registry

PLACES = 3
Change = Literal["up", "new", "down", "off"]


class PodiumChange(Struct, frozen=True, kw_only=True):
    """What became of one user."""

    user: str
    change: Change
    before: int | None
    """Rank; None: not among the first three."""
    now: int | None
    score: float
    """Seconds; of the board now, or of the one before for who is off it."""


def podium(
    registry: Registry, problem: Problem, store: Store, gpu: str, *, lang: str | None = None, dtype: str | None = None
) -> list[Standing]:
    """Lines with rank 1 to 3; more than three when they tie."""
    board = standings(registry, problem, store, gpu=gpu, lang=lang, dtype=dtype)
    return [line for line in board if line.rank <= PLACES]


def podium_changes(before: Sequence[Standing], now: Sequence[Standing]) -> list[PodiumChange]:
    """Who rose, came, fell or left; who only got faster in place is not in it."""
    old, new = ({line.entry.user: line for line in lines} for lines in (before, now))
    found = []
    for user, line in new.items():
        was = old[user].rank if user in old else None
        if was != line.rank:
            change: Change = "new" if was is None else "up" if line.rank < was else "down"
            found.append(PodiumChange(user=user, change=change, before=was, now=line.rank, score=line.score))
    for user, line in old.items():
        if user not in new:
            found.append(PodiumChange(user=user, change="off", before=line.rank, now=None, score=line.score))
    return found
