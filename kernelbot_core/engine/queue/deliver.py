"""From a verdict that is safe in the queue to the store and the board; may be repeated at any point."""

from __future__ import annotations

import zlib

from kernelbot_core.engine.queue.audit import SYSTEM, note_act
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.payload import job_of
from kernelbot_core.engine.queue.podiums import keep_news, news_after, note_before
from kernelbot_core.engine.queue.rows import one, select
from kernelbot_core.engine.record import Recorded, record
from kernelbot_core.errors import InfrastructureError, UserError
from kernelbot_core.model.queue import Ticket
from kernelbot_core.model.report import Report, load

KEEP_S = 7 * 86400.0
"""How long reports of jobs that leave no trace in the store can be asked for."""


def deliver(queue: Queue, job_id: str) -> Recorded:
    """Bring a verdict to the store, then close the job.

    Killed in between, it is done again: a run of a report that is there already changes nothing.

    :raises InfrastructureError: The store cannot be written now; the verdict stays safe, to be brought later.
    """
    report = report_of(queue, job_id)
    if report is None:
        raise InfrastructureError(f"the verdict of job {job_id} is gone", "run it again: `kernelbot queue rerun ID`")
    kept, news = "", None
    try:
        job = job_of(queue, job_id)
        kept = queue.store.put_source(job.submission.source)  # not ranked either: it may be run again
        note_before(queue, job, report)
        recorded = record(queue.registry, queue.store, job.problem, job, report)
        news = news_after(queue, job, report, recorded)
    except InfrastructureError:
        raise
    except UserError as exc:  # its pack is gone since
        recorded = Recorded(objections=[exc.message])
    with queue.database.write() as connection:
        connection.execute("UPDATE jobs SET state = 'done' WHERE id = ? AND state = 'recording'", (job_id,))
        connection.execute("DELETE FROM sources WHERE sha256 = ?", (kept,))
        keep_news(connection, queue.clock(), job_id, news)
        connection.execute("DELETE FROM reports WHERE job = ? AND keep = 0", (job_id,))
        connection.execute("DELETE FROM reports WHERE keep = 1 AND at < ?", (queue.clock() - KEEP_S,))
        if recorded.objections:
            note_act(connection, queue.clock(), SYSTEM, "not ranked", job_id, "; ".join(recorded.objections))
    return recorded


def undelivered(queue: Queue, *, age: float = 0.0) -> list[Ticket]:
    """Jobs whose verdict is not in the store yet, oldest first.

    :param age: Only those that have had a verdict for so many seconds.
    """
    with queue.database.read() as connection:
        return select(connection, "state = 'recording' AND finished <= ?", queue.clock() - age)


def report_of(queue: Queue, job_id: str) -> Report | None:
    """The report of a job that has a verdict; those of test and benchmark jobs are kept for a week.

    :raises UsageError: There is no such job.
    """
    with queue.database.read() as connection:
        one(connection, job_id)
        row = connection.execute("SELECT data FROM reports WHERE job = ?", (job_id,)).fetchone()
    return queue.store.report(job_id) if row is None else load(zlib.decompress(row["data"]))
