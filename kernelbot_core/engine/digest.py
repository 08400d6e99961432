"""A week in numbers: first places, gaps, newcomers, who improved most. The same week always gives the same digest."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from msgspec import Struct

from kernelbot_core.engine.history import as_of
from kernelbot_core.engine.rank import current, ranking_of
from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.plugins import Registry

IMPROVED = 3
WEEK = datetime.timedelta(days=7)


class Lead(Struct, frozen=True, kw_only=True):
    """First place at a moment."""

    user: str
    score: float
    """Seconds."""
    gap: float | None
    """How much slower the next rank is: 0.05 is 5 %; None when there is none."""


class BoardWeek(Struct, frozen=True, kw_only=True):
    """What happened on one board (all languages, the problem's first dtype)."""

    problem: str
    gpu: str
    before: Lead | None
    now: Lead
    runs: int
    newcomers: list[str]
    """Users who stand on it for the first time."""


class Improvement(Struct, frozen=True, kw_only=True):
    """A user who got faster on a board."""

    user: str
    problem: str
    gpu: str
    before: float
    now: float
    ratio: float
    """before / now."""


class Digest(Struct, frozen=True, kw_only=True):
    """The week; boards without a run in it are left out."""

    week: str
    """``2026-W05``."""
    start: str
    """ISO 8601, UTC, of Monday 0:00."""
    end: str
    boards: list[BoardWeek]
    new_problems: list[str]
    """With their first run."""
    improved: list[Improvement]
    """The most first."""


def week_of(moment: datetime.datetime) -> str:
    """ISO week of a moment, in UTC."""
    year, week, _ = moment.astimezone(datetime.UTC).isocalendar()
    return f"{year}-W{week:02}"


def last_week(now: float) -> str:
    """The latest ISO week that is over.

    :param now: Seconds since 1970.
    """
    return week_of(datetime.datetime.fromtimestamp(now, datetime.UTC) - WEEK)


def digest_mark(week: str, guild: str = "") -> str:
    """Name under which a posted digest is noted, see :func:`kernelbot_core.engine.queue.take_mark`."""
    return f"digest:{guild}:{week}"


def digest(registry: Registry, problems: Sequence[Problem], store: Store, week: str) -> Digest:
    """The digest of an ISO week.

    :raises UsageError: It is no ISO week.
    """
    start, end = _span(week)
    boards, improved, fresh = [], [], []
    for problem in problems:
        everything = current(problem, store.entries(problem.name))
        if everything and not as_of(everything, start) and as_of(everything, end):
            fresh.append(problem.name)
        for gpu in store.gpus(problem.name):
            entries = [entry for entry in everything if entry.gpu == gpu]
            runs = sum(start <= run.at < end for entry in entries for run in entry.runs)
            before, now = (_lines(registry, problem, as_of(entries, moment)) for moment in (start, end))
            if runs and now:
                boards.append(_board(problem, gpu, before, now, runs))
                improved += _improved(problem, gpu, before, now)
    improved.sort(key=lambda one: (-one.ratio, one.user, one.problem, one.gpu))
    return Digest(week=week, start=start, end=end, boards=boards, new_problems=fresh, improved=improved[:IMPROVED])


def _span(week: str) -> tuple[str, str]:
    try:
        monday = datetime.datetime.strptime(f"{week}-1", "%G-W%V-%u").replace(tzinfo=datetime.UTC)
    except ValueError:
        raise UsageError(f"{week!r} is no week", "write it as 2026-W05") from None
    return monday.isoformat(timespec="seconds"), (monday + WEEK).isoformat(timespec="seconds")


def _lines(registry: Registry, problem: Problem, entries: Sequence[Entry]) -> list[Standing]:
    return ranking_of(registry, problem).board(problem, entries, dtype=problem.board_dtype)


def _board(problem: Problem, gpu: str, before: Sequence[Standing], now: Sequence[Standing], runs: int) -> BoardWeek:
    known = {line.entry.user for line in before}
    lead = _lead(now)
    assert lead is not None
    return BoardWeek(
        problem=problem.name, gpu=gpu, before=_lead(before), now=lead, runs=runs,
        newcomers=[line.entry.user for line in now if line.entry.user not in known],
    )  # fmt: skip


def _lead(lines: Sequence[Standing]) -> Lead | None:
    if not lines:
        return None
    behind = next((line for line in lines if line.rank > 1), None)
    gap = None if behind is None else behind.score / lines[0].score - 1
    return Lead(user=lines[0].entry.user, score=lines[0].score, gap=gap)


def _improved(problem: Problem, gpu: str, before: Sequence[Standing], now: Sequence[Standing]) -> list[Improvement]:
    then = {line.entry.user: line.score for line in before}
    return [
        Improvement(
            user=line.entry.user, problem=problem.name, gpu=gpu, before=then[line.entry.user], now=line.score,
            ratio=then[line.entry.user] / line.score,
        )
        for line in now
        if line.score < then.get(line.entry.user, 0.0)
    ]  # fmt: skip
