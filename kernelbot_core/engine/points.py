"""Points of users over all boards.

A board is one problem on one GPU, all languages, the problem's first dtype. Rank ``r`` among ``n`` users brings::

    weight(difficulty) * 100 * n / (n + 4) / sqrt(r)        rounded to one decimal

with weights 1 (intro), 2 (intermediate) and 3 (hard). A user's points are the sum over the boards. Whoever ties shares
the rank and so the points; a better rank never brings less; another competitor below never costs anything; a board with
few users brings little, so that an empty board is no mine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from kernelbot_core.engine.rank import standings
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.problem import Difficulty, Problem
from kernelbot_core.plugins import Registry

WEIGHT: dict[Difficulty, int] = {"intro": 1, "intermediate": 2, "hard": 3}
FULL, FEW = 100.0, 4


class Share(Struct, frozen=True, kw_only=True):
    """What one board brings."""

    problem: str
    gpu: str
    rank: int
    of: int
    points: float


class Score(Struct, frozen=True, kw_only=True):
    """One line of the ranking of users."""

    rank: int
    """Users with the same points share it."""
    user: str
    points: float
    boards: list[Share]
    """The most valuable first."""


def points_for(rank: int, of: int, difficulty: Difficulty) -> float:
    """Points of one place."""
    return round(WEIGHT[difficulty] * FULL * of / (of + FEW) / math.sqrt(rank), 1)


def user_points(registry: Registry, problems: Sequence[Problem], store: Store) -> list[Score]:
    """Everybody's points, the most first."""
    shares: dict[str, list[Share]] = {}
    for problem in problems:
        for gpu in store.gpus(problem.name):
            lines = standings(registry, problem, store, gpu=gpu)
            for line in lines:
                points = points_for(line.rank, len(lines), problem.file.difficulty)
                shares.setdefault(line.entry.user, []).append(
                    Share(problem=problem.name, gpu=gpu, rank=line.rank, of=len(lines), points=points)
                )
    totals = {user: round(sum(share.points for share in mine), 1) for user, mine in shares.items()}
    order = sorted(totals, key=lambda user: (-totals[user], user))
    return [
        Score(
            rank=1 + sum(points > totals[user] for points in totals.values()),
            user=user,
            points=totals[user],
            boards=sorted(shares[user], key=lambda share: (-share.points, share.problem, share.gpu)),
        )
        for user in order
    ]
