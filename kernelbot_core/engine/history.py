"""Who held first place when: the runs of a board replayed in the order in which they were made."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kernelbot_core.engine.rank import current, ranking_of
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Run, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.plugins import Registry


class Reign(Struct, frozen=True, kw_only=True):
    """A time in which one entry with one score stood first. Moments are ISO 8601, UTC."""

    user: str
    entry: str
    """Id of the entry."""
    source: str
    """sha256 of its source text."""
    language: str
    report: str
    """The run that brought it there, or that made another's entry slower."""
    score: float
    """Seconds."""
    tied: bool
    start: str
    end: str | None
    """None: it still stands first."""


def history(
    registry: Registry,
    problem: Problem,
    store: Store,
    *,
    gpu: str,
    lang: str | None = None,
    dtype: str | None = None,
    size: str | None = None,
) -> list[Reign]:
    """Everybody who stood first on a board, in order; one line for each change of entry or score."""
    entries = current(problem, store.entries(problem.name, gpu), lang)
    board = _Board(ranking_of(registry, problem), problem, dtype or problem.board_dtype, size)
    reigns: list[Reign] = []
    for entry, number in sorted(((e, n) for e in entries for n in range(len(e.runs))), key=_moment):
        run = entry.runs[number]
        first = board.after(replace(entry, runs=_until(entry, run.at, number)))
        last = reigns[-1] if reigns and reigns[-1].end is None else None
        if last is not None and (first is None or (first.entry.id, first.score) != (last.entry, last.score)):
            reigns[-1] = replace(last, end=run.at)
            last = None
        if first is not None and last is None:
            reigns.append(
                Reign(
                    user=first.entry.user,
                    entry=first.entry.id,
                    source=first.entry.source,
                    language=first.entry.language,
                    report=run.report,
                    score=first.score,
                    tied=first.tied,
                    start=run.at,
                    end=None,
                )
            )
    return reigns


def as_of(entries: Sequence[Entry], moment: str) -> list[Entry]:
    """Entries as they stood just before a moment (ISO 8601, UTC): without later runs, without those that had none."""
    then = [replace(entry, runs=[run for run in entry.runs if run.at < moment]) for entry in entries]
    return [entry for entry in then if entry.runs]


class _Board:
    """First place after each run.

    A run of somebody far behind cannot change it, so that most of them are compared with the leader alone; the whole
    board is made anew when that comparison, or the leader's own run, says that first place moves.
    """

    def __init__(self, ranking: Ranking, problem: Problem, dtype: str, size: str | None) -> None:
        self._ranking, self._problem, self._dtype, self._size = ranking, problem, dtype, size
        self._entries: dict[str, Entry] = {}
        self._first: Standing | None = None

    def after(self, entry: Entry) -> Standing | None:
        """First place once the entry stands so."""
        self._entries[entry.id] = entry
        first = self._first
        if first is not None and first.entry.user != entry.user:
            pair = self._make([e for e in self._entries.values() if e.user in (first.entry.user, entry.user)])
            if pair and pair[0].entry.user == first.entry.user and pair[0].score == first.score:
                return first
        lines = self._make(list(self._entries.values()))
        self._first = lines[0] if lines else None
        return self._first

    def _make(self, entries: Sequence[Entry]) -> list[Standing]:
        return self._ranking.board(self._problem, entries, dtype=self._dtype, size=self._size)


def _moment(step: tuple[Entry, int]) -> tuple[str, str, int]:
    entry, number = step
    return entry.runs[number].at, entry.id, number


def _until(entry: Entry, moment: str, number: int) -> list[Run]:
    return [run for at, run in enumerate(entry.runs) if (run.at, at) <= (moment, number)]
