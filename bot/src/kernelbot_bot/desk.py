"""What the bot asks of the engine. Blocking calls of milliseconds; cogs make them on threads with :meth:`Desk.ask`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

from kernelbot_bot.state import State
from kernelbot_bot.terms import Spot, Viewer, Wish, account_of, note_of
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import AUTO, all_devices
from kernelbot_core.engine.place import places
from kernelbot_core.engine.queue import (
    Dispatcher,
    Queue,
    audit_log,
    enqueue,
    lanes,
    may_see,
    open_queue,
    report_of,
    rerun,
    wait_of,
)
from kernelbot_core.engine.queue.audit import note_act
from kernelbot_core.engine.record import Recorded
from kernelbot_core.errors import PackError, UsageError, UserError
from kernelbot_core.interfaces.packs import PackSource
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.header import read_header
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.queue import Ticket, Wait
from kernelbot_core.model.report import Report
from kernelbot_core.packs.find import find_problems, resolve
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass
class Desk:
    """Queue, dispatcher, store, and the bot's own state."""

    queue: Queue
    dispatcher: Dispatcher
    state: State
    settings: Settings
    packs: Path
    """Where approved packs lie."""
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8, "desk"))

    @property
    def registry(self) -> Registry:
        """Everything plugins have brought."""
        return self.queue.registry

    @property
    def sources(self) -> list[PackSource]:
        """Where packs are found: those of plugins, and those that maintainers have approved."""
        return [*self.registry.pack_sources, PackSource(name="approved", folder=self.packs)]

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call something that blocks on a thread of ours: a long board must not hold up an acknowledgement."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, lambda: function(*args, **kwargs))

    async def ask_long(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for minutes of work, on a thread that does not hold up the end of the process."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def settle(act: Callable[[], None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(lambda: None if done.done() else act())

        def work() -> None:
            try:
                result = function(*args, **kwargs)
            except BaseException as exc:  # noqa: BLE001 - whatever it is, whoever waits must hear of it
                error = exc
                settle(lambda: done.set_exception(error))
            else:
                settle(lambda: done.set_result(result))

        threading.Thread(target=work, name="long", daemon=True).start()
        return await done

    def problems(self, viewer: Viewer | None = None) -> list[Problem]:
        """Every pack that can be read, and that the viewer may see; None sees what is public."""
        found = []
        for folder in find_problems(self.sources):
            try:
                problem = load_problem(folder)
            except PackError:  # `kernelbot problems` names it; members cannot mend it
                continue
            if self.may_see(problem.name, viewer):
                found.append(problem)
        return found

    def problem_names(self, viewer: Viewer | None = None) -> list[str]:
        """Names of the problems that somebody may see."""
        names = dict.fromkeys(folder.name for folder in find_problems(self.sources))
        return [name for name in names if self.may_see(name, viewer)]

    def may_see(self, name: str, viewer: Viewer | None) -> bool:
        """Whether a problem exists for somebody; private ones do for members and admins only."""
        if viewer is not None and viewer.admin:
            return True
        return may_see(self.queue, name, None if viewer is None else account_of(viewer.id))

    def private(self, name: str) -> bool:
        """Whether nobody but members may see what happens at a problem."""
        return not may_see(self.queue, name, None)

    def note(self, who: int, act: str, target: str, detail: str = "") -> None:
        """Add what only the bot knows of to the audit log."""
        with self.queue.database.write() as connection:
            note_act(connection, self.queue.clock(), account_of(who), act, target, detail)

    def problem(self, name: str, viewer: Viewer | None) -> Problem:
        """The problem of that name; a path is no name, since members must not read folders here."""
        if "/" in name or name.startswith(".") or not self.may_see(name, viewer):
            raise UsageError(f"there is no problem {name}", "choose one from the list")
        return resolve(name, self.sources)

    def labels(self) -> list[str]:
        """Board labels of the devices here."""
        return list(dict.fromkeys(device.label for device in all_devices(self.registry)))

    def submit(self, wish: Wish, *, viewer: Viewer, user: str, guild: int, spot: Spot) -> tuple[Ticket, Wait | None]:
        """Put a job into the queue; when this returns, nothing loses it.

        :raises UserError: Something in the wish is wrong, or the rules say no.
        """
        header = read_header(wish.source)
        name = wish.problem or header.problem
        if name is None:
            raise UsageError(
                "which problem is it for?", "say problem:, or write #!kernelbot problem NAME into the file"
            )
        gpu = wish.gpu or header.gpu
        job = accept(
            self.registry, self.problem(name, viewer), wish.source, wish.filename, settings=self.settings,
            lang=wish.lang, device=self._device(gpu) if gpu else AUTO, mode=wish.mode, user=user,
        )  # fmt: skip
        ticket = enqueue(self.queue, job, account=account_of(viewer.id), guild=str(guild), note=note_of(spot))
        return ticket, self._queued(ticket)

    def again(self, job_id: str, *, account: int, spot: Spot) -> tuple[Ticket, Wait | None]:
        """The same source once more, as a new job of the same account."""
        ticket = rerun(self.queue, job_id, actor=account_of(account), note=note_of(spot))
        return ticket, self._queued(ticket)

    def outcome(self, ticket: Ticket, recorded: Recorded | None = None) -> tuple[Report | None, Recorded | None]:
        """Report and places of a job that has ended, also of one that ended while nobody listened."""
        report = report_of(self.queue, ticket.id)
        if report is None or recorded is not None or report.mode != "ranked" or report.status != "passed":
            return report, recorded
        entry = self._entry(ticket, report)
        if entry is None:
            why = [act.detail for act in audit_log(self.queue, target=ticket.id) if act.act == "not ranked"]
            return report, Recorded(objections=why)
        taken = places(self.registry, resolve(ticket.problem, self.sources), self.queue.store, entry)
        return report, Recorded(entry=entry, places=taken)

    def pause_reason(self, device: str) -> str:
        """Why a device starts nothing; empty when it does."""
        lane = next((lane for lane in lanes(self.queue) if lane.device == device), None)
        return (lane.reason or "by a maintainer") if lane and lane.flow == "paused" else ""

    def close(self, drain_s: float) -> bool:
        """Stop: what runs gets ``drain_s`` seconds and then goes back into the queue; False when it had to."""
        whole = self.dispatcher.stop(drain_s)
        self.threads.shutdown(wait=True)
        self.queue.close()
        self.state.close()
        return whole

    def _queued(self, ticket: Ticket) -> Wait | None:
        """Its place; None where that cannot be told: the job is in the queue all the same, and that is what counts."""
        self.dispatcher.wake()
        try:
            return wait_of(self.queue, ticket.id)
        except (UserError, sqlite3.Error) as exc:
            log.warning("job %s is queued, its place cannot be told: %s", ticket.id, exc)
            return None

    def _entry(self, ticket: Ticket, report: Report) -> Entry | None:
        entries = self.queue.store.entries(ticket.problem, report.gpu)
        return next((entry for entry in entries if any(run.report == report.id for run in entry.runs)), None)

    def _device(self, wanted: str) -> str:
        """Id of a device of that label or id: of several of one label the one that has the least to do."""
        devices = all_devices(self.registry)
        found = [d.id for d in devices if wanted.lower() in (d.label.lower(), d.id.lower())]
        if not found:
            here = ", ".join(dict.fromkeys(device.label for device in devices)) or "none"
            raise UsageError(f"there is no {wanted} here", f"there are: {here}")
        busy = {lane.device: (lane.flow != "open", lane.waiting + bool(lane.running)) for lane in lanes(self.queue)}
        return min(found, key=lambda device: busy.get(device, (False, 0)))


def open_desk(registry: Registry, settings: Settings, *, state: Path, packs: Path) -> Desk:
    """Open queue, store and state.

    :raises UserError: One of them cannot be opened.
    """
    queue = open_queue(registry, settings.store)
    dispatcher = Dispatcher(queue, [device.id for device in all_devices(registry)])
    packs.mkdir(parents=True, exist_ok=True)
    return Desk(queue=queue, dispatcher=dispatcher, state=State(state), settings=settings, packs=packs)
