"""Takes jobs for each device, runs them, and tells whoever listens. Threads inside; listeners are called on them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from kernelbot_core.engine.queue.attempt import run_attempt
from kernelbot_core.engine.queue.audit import SYSTEM
from kernelbot_core.engine.queue.base import Queue
from kernelbot_core.engine.queue.deliver import deliver, undelivered
from kernelbot_core.engine.queue.endings import Ending, Lease
from kernelbot_core.engine.queue.jobs import cancel, ticket
from kernelbot_core.engine.queue.lanes import set_flow
from kernelbot_core.engine.queue.leases import claim, give_back, heartbeat, recover
from kernelbot_core.engine.queue.owner import owner_name
from kernelbot_core.engine.queue.podiums import podium_news
from kernelbot_core.engine.queue.update import Listener, Update
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.model.event import Event
from kernelbot_core.model.queue import Ticket

log = logging.getLogger(__name__)
BEAT_S = 2.0
"""Between two heartbeats; a cancelled job is ended that soon."""
LOOK_S = 0.5
"""Between two looks for jobs that another process has added."""
LEFT_S = 10.0
"""Age of a verdict from which its own process is not waited for to bring it to the store."""
FAULTS = 3
"""Jobs in a row that a device loses before its queue is paused."""


class Dispatcher:
    """Runs the queue of some devices, one job at a time on each.

    ::

        dispatcher = Dispatcher(queue, ["cuda:0"])
        dispatcher.subscribe(print)
        dispatcher.start()
        ...
        dispatcher.stop()       # SIGTERM: ends what runs, starts nothing; what waits stays in the file

    Killed at any point it loses nothing: the next one puts back what ran, and brings to the store what was judged.
    """

    def __init__(self, queue: Queue, devices: Sequence[str]) -> None:
        self.queue, self.devices = queue, list(devices)
        self.owner = owner_name()
        self._listeners: list[Listener] = []
        self._threads: list[threading.Thread] = []
        self._leases: dict[str, Lease] = {}
        self._news = threading.Condition()
        self._bringing = threading.Lock()
        self._stopping = self._aborting = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear every :class:`Update`, on the threads of the devices; call what is returned to hear no more."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def start(self) -> None:
        """Put right what an earlier process left, then take jobs."""
        for lost in recover(self.queue):
            self._tell(Update(ticket=lost))
        self._bring_all()
        for device in self.devices:
            thread = threading.Thread(target=self._serve, args=(device,), name=f"queue {device}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def wake(self) -> None:
        """Look for jobs now; call it after :func:`enqueue` and after a device was resumed."""
        with self._news:
            self._news.notify_all()

    def cancel(self, job_id: str, *, actor: str) -> Ticket:
        """As :func:`kernelbot_core.engine.queue.cancel`, and at once where the job runs here."""
        found = cancel(self.queue, job_id, actor=actor)
        if found.state == "running":
            self._end_run(job_id)
        else:
            self._tell(Update(ticket=found))
        return found

    def stop(self, timeout: float | None = None) -> bool:
        """Start nothing more and wait for what runs; after ``timeout`` seconds put that back into the queue.

        :returns: Whether everything that ran has ended with a verdict.
        """
        self._stopping = True
        self.wake()
        end = None if timeout is None else time.monotonic() + timeout
        for thread in self._threads:
            thread.join(None if end is None else max(0.0, end - time.monotonic()))
        late = list(self._leases)
        self._aborting = True
        for job_id in late:
            self._end_run(job_id)
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        return not late

    def _serve(self, device: str) -> None:
        faults = 0
        while not self._stopping:
            try:
                lease = claim(self.queue, device, self.owner)
                ending = None if lease is None else self._hold(lease)
            except InfrastructureError as exc:  # the file is locked or the disk is full: that may pass
                log.warning("queue of %s: %s", device, exc.message)
                lease = ending = None
            if lease is None:
                self._bring_all(LEFT_S)
                self._pause(LOOK_S)
            faults = faults + 1 if ending in ("queued", "failed") and not self._stopping else 0 if ending else faults
            if faults >= FAULTS:
                reason = f"{faults} runs in a row were lost; see `kernelbot doctor`"
                set_flow(self.queue, device, "paused", actor=SYSTEM, reason=reason)
                log.error("%s is paused: %s", device, reason)
                faults = 0

    def _hold(self, lease: Lease) -> Ending:
        """One attempt with its lease kept alive, and what follows from its end."""
        job_id = lease.ticket.id
        self._tell(Update(ticket=lease.ticket))
        with self._beating(lease):
            ending = run_attempt(self.queue, lease, lambda event: self._hear(lease, event), self._given_back)
        if ending == "recording":
            self._bring(job_id)
        else:
            self._tell(Update(ticket=ticket(self.queue, job_id)))
        return ending

    def _given_back(self, lease: Lease) -> Ending | None:
        return give_back(self.queue, lease) if self._aborting else None

    def _hear(self, lease: Lease, event: Event) -> None:
        self._tell(Update(ticket=lease.ticket, event=event))

    def _bring(self, job_id: str) -> None:
        with self._bringing:  # the threads of idle devices look for verdicts too, and each is told once
            if ticket(self.queue, job_id).state != "recording":
                return
            try:
                recorded = deliver(self.queue, job_id)
            except InfrastructureError as exc:  # the verdict is safe; brought as soon as the store can be written
                log.warning("job %s: %s", job_id, exc.message)
                return
        changes = [change for news in podium_news(self.queue) if news.job == job_id for change in news.changes]
        self._tell(Update(ticket=ticket(self.queue, job_id), recorded=recorded, podium=changes))

    def _bring_all(self, age: float = 0.0) -> None:
        for found in undelivered(self.queue, age=age):
            self._bring(found.id)

    @contextmanager
    def _beating(self, lease: Lease) -> Iterator[None]:
        ended = threading.Event()
        thread = threading.Thread(target=self._beat, args=(lease, ended), daemon=True)
        self._leases[lease.ticket.id] = lease
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            del self._leases[lease.ticket.id]

    def _beat(self, lease: Lease, ended: threading.Event) -> None:
        while not ended.wait(BEAT_S):
            try:
                if heartbeat(self.queue, lease) != "go_on":
                    self._end_run(lease.ticket.id)
            except InfrastructureError as exc:
                log.warning("job %s: no heartbeat: %s", lease.ticket.id, exc.message)

    def _end_run(self, job_id: str) -> None:
        for executor in self.queue.registry.executors.values():
            executor.cancel(job_id)

    def _pause(self, seconds: float) -> None:
        with self._news:
            if not self._stopping:
                self._news.wait(seconds)

    def _tell(self, update: Update) -> None:
        for listener in list(self._listeners):
            try:
                listener(update)
            except Exception:  # a listener is a front-end's: its bug must not keep others from hearing
                log.exception("a listener failed on job %s", update.ticket.id)
