"""Who may see the code of an entry, and when: the one rule that every way to code obeys."""

from __future__ import annotations

import datetime

from kernelbot_core.engine.rank import standings
from kernelbot_core.errors import RefusedError
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.queue import Release
from kernelbot_core.plugins import Registry

DAY = datetime.timedelta(days=1)


def check_release(
    registry: Registry,
    problem: Problem,
    store: Store,
    entry: Entry,
    *,
    viewer: str | None,
    now: float,
    release: Release | None = None,
) -> None:
    """Let a viewer see the code, or say why not. Authors always see their own.

    :param viewer: Name on the board; None is the public.
    :param now: Seconds since 1970.
    :param release: What maintainers have said (``board_rules(queue, problem).release``); None: what the pack says.
    :raises RefusedError: Not now; the hint says when.
    """
    if viewer is not None and viewer == entry.user:
        return
    rule = problem.file.ranking.release if release is None else release
    whose = f"the code of {entry.user} at {problem.name}"
    if entry.invalid:
        raise RefusedError(f"{whose} is not public", "a maintainer has taken the entry off the board")
    if rule == "never":
        raise RefusedError(f"{whose} is not public", "the problem keeps code private")
    if rule == "first":
        if not _holds_first(registry, problem, store, entry):
            raise RefusedError(f"{whose} is not public", "only what holds first place is")
        return
    opens = released_at(entry, rule)
    if now < opens.timestamp():
        raise RefusedError(f"{whose} is not public yet", f"it will be on {opens:%Y-%m-%d %H:%M} UTC")


def released_at(entry: Entry, days: int) -> datetime.datetime:
    """When the code of an entry becomes public: so many days after its first run."""
    submitted = datetime.datetime.fromisoformat(entry.submitted)
    return (submitted if submitted.tzinfo else submitted.replace(tzinfo=datetime.UTC)) + days * DAY


def _holds_first(registry: Registry, problem: Problem, store: Store, entry: Entry) -> bool:
    """On the overall board of its GPU, or on that of its language; whoever ties for it holds it too."""
    boards = (standings(registry, problem, store, gpu=entry.gpu, lang=lang) for lang in (None, entry.language))
    return any(line.rank == 1 and line.entry.id == entry.id for board in boards for line in board)
