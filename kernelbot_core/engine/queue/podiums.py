"""What a verdict changed on a podium, kept with it until everybody who wants to know was told.

The places before are noted before the store changes, so that a death at any point costs neither the comparison nor
the announcement.
"""

from __future__ import annotations

import sqlite3

import msgspec
from msgspec import Struct

from kernelbot_core.engine.podium import PodiumChange, podium, podium_changes
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.entry import Standing
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Job

FRESH_S = 86400.0
"""Older changes are no news."""


class PodiumNews(Struct, frozen=True, kw_only=True):
    """Changes among the first three of a GPU's overall board, by one job."""

    job: str
    problem: str
    gpu: str
    changes: list[PodiumChange]


def note_before(queue: Queue, job: Job, report: Report) -> None:
    """Keep the places as they are before a verdict is recorded; said twice, the first time counts."""
    if report.mode != "ranked" or report.status != "passed":
        return
    before = msgspec.json.encode(podium(queue.registry, job.problem, queue.store, report.gpu))
    with queue.database.write() as connection:
        connection.execute(
            "INSERT OR IGNORE INTO podiums (job, at, before) VALUES (?, ?, ?)", (job.id, queue.clock(), before)
        )


def news_after(queue: Queue, job: Job, report: Report, recorded: Recorded) -> PodiumNews | None:
    """What the entry changed since; None where nothing did."""
    with queue.database.read() as connection:
        row = connection.execute("SELECT before FROM podiums WHERE job = ?", (job.id,)).fetchone()
    if row is None or recorded.entry is None:
        return None
    before = msgspec.json.decode(row["before"], type=list[Standing])
    changes = podium_changes(before, podium(queue.registry, job.problem, queue.store, report.gpu))
    return PodiumNews(job=job.id, problem=job.problem.name, gpu=report.gpu, changes=changes) if changes else None


def keep_news(connection: sqlite3.Connection, now: float, job_id: str, news: PodiumNews | None) -> None:
    """Part of the transaction that closes the job."""
    if news is None:
        connection.execute("DELETE FROM podiums WHERE job = ?", (job_id,))
    else:
        connection.execute("UPDATE podiums SET news = ? WHERE job = ?", (msgspec.json.encode(news), job_id))
    connection.execute("DELETE FROM podiums WHERE at < ?", (now - FRESH_S,))


def podium_news(queue: Queue) -> list[PodiumNews]:
    """Changes of the last day that are not announced everywhere, oldest first."""
    with queue.database.read() as connection:
        rows = connection.execute(
            "SELECT news FROM podiums WHERE news IS NOT NULL AND at >= ? ORDER BY at", (queue.clock() - FRESH_S,)
        ).fetchall()
    return [msgspec.json.decode(row["news"], type=PodiumNews) for row in rows]


def drop_news(queue: Queue, job_id: str) -> None:
    """Everybody who wants to know was told."""
    with queue.database.write() as connection:
        connection.execute("DELETE FROM podiums WHERE job = ?", (job_id,))
