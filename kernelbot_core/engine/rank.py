"""Boards: views over the entries of one problem version, clock protocol and GPU."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kernelbot_core.errors import PackError
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import PROTOCOL
from kernelbot_core.plugins import Registry


def ranking_of(registry: Registry, problem: Problem) -> Ranking:
    """The ranking that the problem names.

    :raises PackError: Nobody has brought one of that name.
    """
    name = problem.file.ranking.score
    if name not in registry.rankings:
        known = ", ".join(registry.rankings) or "none"
        raise PackError(f"{problem.path}/problem.toml: ranking.score: there is no ranking {name}", f"known: {known}")
    return registry.rankings[name]


def in_order(problem: Problem, dtypes: Collection[str]) -> list[str]:
    """Dtype labels, the problem's first board first and the others as in its grid."""
    return sorted((d for d in problem.bindings if d in dtypes), key=lambda d: d != problem.board_dtype)


def current(problem: Problem, entries: Sequence[Entry], lang: str | None = None) -> list[Entry]:
    """Entries of the problem's present version and the present protocol that count; others are kept, never mixed in."""
    return [
        entry
        for entry in entries
        if entry.problem_version == problem.version
        and entry.protocol == PROTOCOL
        and lang in (None, entry.language)
        and not entry.invalid
    ]


def standings(
    registry: Registry,
    problem: Problem,
    store: Store,
    *,
    gpu: str,
    lang: str | None = None,
    size: str | None = None,
    dtype: str | None = None,
) -> list[Standing]:
    """One board of one GPU; ``size=None`` is the overall one, ``dtype=None`` the problem's first."""
    entries = current(problem, store.entries(problem.name, gpu), lang)
    return ranking_of(registry, problem).board(problem, entries, dtype=dtype or problem.board_dtype, size=size)
