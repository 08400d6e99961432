"""One attempt: from a lease to an ending, whatever happens."""

from __future__ import annotations

import logging
from collections.abc import Callable

from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.endings import Ending, Lease
from kernelbot_core.engine.queue.leases import fault, finish, give_up
from kernelbot_core.engine.queue.payload import job_of
from kernelbot_core.engine.run import Listener, run_job
from kernelbot_core.errors import InfrastructureError, UserError

log = logging.getLogger(__name__)


def run_attempt(queue: Queue, lease: Lease, on_event: Listener, given_back: Callable[[Lease], Ending | None]) -> Ending:
    """Run the job through an executor and hand in what comes of it.

    :param given_back: Asked when there is no verdict: whether the job was put back on purpose.
    """
    try:
        report = run_job(queue.registry, job_of(queue, lease.ticket.id), on_event)
    except InfrastructureError as exc:
        return given_back(lease) or fault(queue, lease, exc.message)
    except UserError as exc:  # its pack, device or language is gone: trying again does not help
        return give_up(queue, lease, exc.message)
    except Exception as exc:  # an executor is a plugin: its bug costs the job an attempt, not the queue its life
        log.exception("job %s", lease.ticket.id)
        return fault(queue, lease, f"the executor failed: {type(exc).__name__}")
    return finish(queue, lease, report)
