"""One person's boards, points and jobs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kernelbot_core.engine.points import Share, user_points
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.model.problem import Problem


class Me(Struct, frozen=True, kw_only=True):
    """What somebody has done so far."""

    user: str
    rank: int | None
    """Among all users by points; None without an entry."""
    points: float
    boards: list[Share]
    """The most valuable first."""
    jobs: dict[str, int]
    """Status of a verdict, or state of a job without one -> how many jobs of the account."""
    firsts: int
    """Boards on which the user stands first."""


def me(queue: Queue, problems: Sequence[Problem], *, user: str, account: str | None = None) -> Me:
    """Sum up a user.

    :param user: Name on the board.
    :param account: Whose jobs are counted; default: the name on the board.
    """
    score = next((one for one in user_points(queue.registry, problems, queue.store) if one.user == user), None)
    with queue.database.read() as connection:
        rows = connection.execute(
            "SELECT coalesce(status, state) AS what, count(*) AS jobs FROM jobs WHERE account = ? GROUP BY what "
            "ORDER BY jobs DESC",
            (user if account is None else account,),
        ).fetchall()
    boards = [] if score is None else score.boards
    return Me(
        user=user,
        rank=None if score is None else score.rank,
        points=0.0 if score is None else score.points,
        boards=boards,
        jobs={row["what"]: row["jobs"] for row in rows},
        firsts=sum(share.rank == 1 for share in boards),
    )
