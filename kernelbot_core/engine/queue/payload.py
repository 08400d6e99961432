"""A job as the file keeps it: without source and problem, which have a place of their own."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.model.submission import Job
from kernelbot_core.packs.load import load_problem


def pack(job: Job) -> bytes:
    """JSON of everything else, so that a new key of a job needs no new column."""
    values = msgspec.to_builtins(job)
    del values["problem"], values["submission"]["source"]
    return json.dumps(values).encode()


def job_of(queue: Queue, job_id: str) -> Job:
    """The job, ready to run: its source from here or the store, its problem as the pack stands now.

    :raises UserError: The pack is gone or broken, the source is damaged, or an upgrade has changed what a job is.
    """
    with queue.database.read() as connection:
        row = connection.execute(
            "SELECT payload, pack, source, text FROM jobs LEFT JOIN sources ON sha256 = source WHERE id = ?", (job_id,)
        ).fetchone()
    source = queue.store.source(row["source"]) if row["text"] is None else row["text"]
    if source is None:
        raise InfrastructureError(f"the source of job {job_id} is not in the store", "restore it from a backup")
    values = json.loads(row["payload"])
    values["submission"]["source"] = source
    values["problem"] = msgspec.to_builtins(load_problem(Path(row["pack"])))
    try:
        return msgspec.convert(values, Job)
    except msgspec.ValidationError as exc:
        raise InfrastructureError(f"job {job_id} is of another version of kernelbot: {exc}", "submit it again") from exc
