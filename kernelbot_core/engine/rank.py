"""Boards: views over the entries of one problem version, clock protocol and GPU."""

from __future__ import annotations

from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry, Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import PROTOCOL
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings, load_settings


def current(problem: Problem, store: Store, gpu: str, lang: str | None = None) -> list[Entry]:
    """Entries of the problem's present version and the present protocol; others are kept and never mixed in."""
    return [
        entry
        for entry in store.entries(problem.name, gpu)
        if entry.problem_version == problem.version and entry.protocol == PROTOCOL and lang in (None, entry.language)
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
    """One board; ``size=None`` is the overall one, ``dtype=None`` the problem's first."""
    ranking = registry.rankings[problem.file.ranking.score]
    return ranking.board(problem, current(problem, store, gpu, lang), dtype=dtype or problem.board_dtype, size=size)


def open_store(registry: Registry, url: str | None = None, settings: Settings | None = None) -> Store:
    """Open the store of a URL, by default the setting's.

    :raises UsageError: No plugin knows the scheme.
    """
    url = url or (settings or load_settings()).store
    scheme = url.partition("://")[0]
    if scheme not in registry.stores:
        known = ", ".join(f"{name}://" for name in registry.stores)
        raise UsageError(f"{url}: no store has the scheme {scheme}", f"known: {known}")
    return registry.stores[scheme](url)
