"""What maintainers do to entries and jobs; what they say about accounts and boards is in the queue package."""

from __future__ import annotations

from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import all_devices
from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.jobs import enqueue
from kernelbot_core.errors import UsageError
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.queue import Ticket
from kernelbot_core.settings import Settings

REJUDGE_PRIORITY = -1
"""Below what people wait for."""


def find_entry(queue: Queue, problem: str, wanted: str) -> Entry:
    """The entry with that id, or with a run of that report; the beginning is enough when only one fits.

    :raises UsageError: There is none, or several.
    """
    name = wanted.strip().removeprefix("#")
    found = [
        entry
        for entry in queue.store.entries(problem)
        if name and (entry.id.startswith(name) or any(run.report.startswith(name) for run in entry.runs))
    ]
    if len(found) != 1:
        what = "several entries fit" if found else f"{problem} has no entry"
        raise UsageError(f"{what} {wanted}", "give the id of an entry, or of a job that made it")
    return found[0]


def invalidate(queue: Queue, entry: Entry, *, actor: str, reason: str) -> Entry:
    """Take an entry off the boards; it stays in the store, and more runs of the same code do not bring it back.

    :raises UsageError: No reason is given; its author will be shown it.
    """
    if not reason.strip():
        raise UsageError("an entry is taken off with a reason", "say what is wrong with it")
    return _mark(queue, entry, actor, "invalidate", reason.strip())


def reinstate(queue: Queue, entry: Entry, *, actor: str) -> Entry:
    """Put an entry back."""
    return _mark(queue, entry, actor, "reinstate", "")


def rejudge(queue: Queue, problem: Problem, entry: Entry, settings: Settings, *, actor: str) -> Ticket:
    """Run the code of an entry again on a device of its board, behind what people wait for; costs its author nothing.

    :raises UserError: There is no such device here, or the source is gone.
    """
    source = queue.store.source(entry.source)
    if source is None:
        raise UsageError(f"the source of entry {entry.id} is not in the store", "restore it from a backup")
    devices = [device.id for device in all_devices(queue.registry) if device.label == entry.gpu]
    if not devices:
        raise UsageError(f"there is no {entry.gpu} here", "see `kernelbot doctor`")
    job = accept(
        queue.registry, problem, source, entry.filename, settings=settings, lang=entry.language, device=devices[0],
        mode="ranked", user=entry.user,
    )  # fmt: skip
    made = enqueue(queue, job, account=_account(queue, entry), priority=REJUDGE_PRIORITY, counted=False)
    with queue.database.write() as connection:
        note_act(connection, queue.clock(), actor, "rejudge", entry.id, f"as {made.id}")
    return made


def _account(queue: Queue, entry: Entry) -> str:
    """Whose it is: of the latest job that made a run of it, else the name on the board."""
    with queue.database.read() as connection:
        for run in reversed(entry.runs):
            row = connection.execute("SELECT account FROM jobs WHERE id = ?", (run.report,)).fetchone()
            if row is not None:
                return str(row["account"])
    return entry.user


def _mark(queue: Queue, entry: Entry, actor: str, act: str, reason: str) -> Entry:
    kept = queue.store.set_invalid(entry, reason)
    if kept is None:
        raise UsageError(f"there is no entry {entry.id}", "it may have been removed")
    with queue.database.write() as connection:
        note_act(connection, queue.clock(), actor, act, entry.id, reason)
    return kept
