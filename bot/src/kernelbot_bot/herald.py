"""Shows each job in one message, edited in place with the bot's own token, from the queue to the card.

The interaction's token dies after 15 minutes, and with the process; the queue keeps where each message stands, so that
after a restart every job that is still open, or ended meanwhile, gets its message.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiohttp
import discord

from kernelbot_bot.buttons import after_view, wait_view
from kernelbot_bot.nonce import nonce
from kernelbot_bot.render import progress
from kernelbot_bot.render.card import card
from kernelbot_bot.render.ending import without_report
from kernelbot_bot.render.message import Shown
from kernelbot_bot.terms import Spot, note_of, spot_of
from kernelbot_core.engine.queue import Update, mark_told, set_note, tickets, untold, wait_of
from kernelbot_core.model.queue import Ticket

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

log = logging.getLogger(__name__)
NEAR = 3
"""Waiting jobs whose message follows each step of the queue; the others would only fill Discord's limits."""
STAND_BACK_S = 2.0
"""Longest that a message waits because somebody else waits for a number."""
TRIES = 6
LOST = 10008
"""Discord's code for a message that is not there."""


@dataclass
class Watch:
    """One job on its way."""

    update: Update
    stale: bool = False
    """The message shows less than what is known."""
    task: asyncio.Task[None] | None = None
    shown: object = None
    """What the message shows, so that an edit that changes nothing is left out."""


class Herald:
    """From updates to messages."""

    def __init__(self, bot: KernelBot) -> None:
        self.bot, self.desk = bot, bot.desk
        self._watched: dict[str, Watch] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._answering = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody waits for a job number: messages about jobs that have one stand back for a moment."""
        self._answering += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._answering -= 1
            if not self._answering:
                self._quiet.set()

    def start(self) -> None:
        """Listen; called on the bot's loop, before the dispatcher starts."""
        self._loop = asyncio.get_running_loop()
        self._unsubscribe = self.desk.dispatcher.subscribe(self._from_thread)

    async def catch_up(self) -> None:
        """After a start: jobs that are open, and ends that nobody was shown."""
        queue = self.desk.queue
        for ticket in [*await self.desk.ask(untold, queue), *reversed(await self.desk.ask(tickets, queue))]:
            self.hear(Update(ticket=ticket))

    def hear(self, update: Update) -> None:
        """Take note of an update; its message follows as fast as Discord lets it."""
        job_id = update.ticket.id
        self.bot.dispatch("kernelbot_update", update)
        if spot_of(update.ticket) is None:
            return
        watch = self._watched.setdefault(job_id, Watch(update))
        if watch.update.ticket.live or not update.ticket.live:  # a late step must not hide the end
            watch.update = update
        self._freshen(job_id, watch)
        if update.event is None and update.ticket.state == "running":
            self._refresh_waiting(update.ticket.device)

    async def close(self, timeout: float) -> None:
        """Let messages that are due go out, then stop."""
        self._unsubscribe()
        ends = [w.task for w in self._watched.values() if w.task and not w.update.ticket.live]
        if ends:
            await asyncio.wait(ends, timeout=timeout)
        for watch in self._watched.values():
            if watch.task:
                watch.task.cancel()

    def _from_thread(self, update: Update) -> None:
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.hear, update)

    def _refresh_waiting(self, device: str) -> None:
        waiting = [
            watch for watch in self._watched.values()
            if watch.update.ticket.device == device and watch.update.ticket.state == "queued"
        ]  # fmt: skip
        for watch in waiting[:NEAR]:
            self._freshen(watch.update.ticket.id, watch)

    def _freshen(self, job_id: str, watch: Watch) -> None:
        watch.stale = True
        if watch.task is None:
            watch.task = asyncio.create_task(self._show(job_id, watch), name=f"show {job_id}")

    async def _show(self, job_id: str, watch: Watch) -> None:
        """Bring the message up to date until there is nothing new; at most one edit in a while."""
        try:
            while watch.stale:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._quiet.wait(), STAND_BACK_S)
                watch.stale = False
                update = watch.update
                shown = await self._deliver(update, watch)
                if not update.ticket.live:
                    if shown:
                        await self.desk.ask(mark_told, self.desk.queue, job_id)
                    del self._watched[job_id]
                    return
                await asyncio.sleep(self.bot.options.edit_every_s)
        except asyncio.CancelledError:
            raise
        except Exception:  # a bug in one message must not end the others'; it is in the log
            log.exception("the message of job %s cannot be kept up", job_id)
        finally:
            watch.task = None

    async def _deliver(self, update: Update, watch: Watch) -> bool:
        """Show the present state; what fails for a while is tried again, what never will is given up.

        :returns: False when Discord has not answered: an end is shown after the next start then.
        """
        for attempt in range(TRIES):
            try:
                await self._put(update, watch)
            except (discord.DiscordServerError, aiohttp.ClientError, OSError) as exc:
                log.warning("job %s: Discord does not answer (%s)", update.ticket.id, type(exc).__name__)
                if update.ticket.live:
                    return False  # the next step comes soon
                await asyncio.sleep(2.0**attempt * self.bot.options.edit_every_s)
            except discord.HTTPException as exc:
                log.warning("job %s: its message cannot be shown: %s", update.ticket.id, exc.text)
                return True
            else:
                return True
        return False

    async def _put(self, update: Update, watch: Watch) -> None:
        ticket = update.ticket
        spot = spot_of(await self.desk.ask(_now, self.bot, ticket))
        assert spot is not None
        shown, view = await self._content(update)
        if ticket.live and watch.shown == shown.embed.to_dict():
            return
        channel, message = self.bot.get_partial_messageable(spot.channel), None
        if spot.message:
            old = channel.get_partial_message(spot.message)
            try:
                message = await old.edit(embed=shown.embed, attachments=[f.file() for f in shown.files], view=view)
            except discord.NotFound as exc:
                if exc.code != LOST or ticket.live:
                    raise
        if message is None:  # the first state; or somebody has deleted the message: the end is shown anyway
            message = await self._send(ticket, spot, shown, view)
            if not _shows(message, shown):  # sent by a process that died before it could note where; found by its nonce
                await message.edit(embed=shown.embed, attachments=[f.file() for f in shown.files], view=view)
            place = Spot(channel=message.channel.id, by=spot.by, message=message.id)
            await self.desk.ask(set_note, self.desk.queue, ticket.id, note_of(place))
        watch.shown = shown.embed.to_dict()

    async def _send(self, ticket: Ticket, spot: Spot, shown: Shown, view: discord.ui.View | None) -> discord.Message:
        """Where the command was used; where the bot may not speak, to its author directly."""
        channel: discord.abc.Messageable = self.bot.get_partial_messageable(spot.channel)
        for other in (True, False):
            try:
                files = [one.file() for one in shown.files]
                return await channel.send(
                    embed=shown.embed, files=files, view=view or discord.utils.MISSING,
                    nonce=nonce("job", ticket.id, spot.message),
                )  # fmt: skip
            except discord.Forbidden:
                if not other:
                    raise
                channel = await self.bot.create_dm(discord.Object(spot.by))
        raise AssertionError  # the second try returns or raises

    async def _content(self, update: Update) -> tuple[Shown, discord.ui.View | None]:
        ticket = update.ticket
        if ticket.state == "queued":
            wait = await self.desk.ask(wait_of, self.desk.queue, ticket.id)
            paused = await self.desk.ask(self.desk.pause_reason, ticket.device)
            return Shown(progress.waiting(ticket, wait, paused=paused)), wait_view(ticket.id)
        if ticket.live:
            return Shown(progress.running(ticket, update.event)), wait_view(ticket.id)
        report, recorded = await self.desk.ask(self.desk.outcome, ticket, update.recorded)
        if report is None:
            return Shown(without_report(ticket)), after_view(ticket.id, report=False)
        return card(report, recorded), after_view(ticket.id, report=True)


def _shows(message: discord.Message, shown: Shown) -> bool:
    texts = [(embed.description or "").strip() for embed in message.embeds]
    return texts == [(shown.embed.description or "").strip()]


def _now(bot: KernelBot, ticket: Ticket) -> Ticket:
    """The ticket with its present note: the update may be older than the message."""
    from kernelbot_core.engine.queue import ticket as look

    return look(bot.desk.queue, ticket.id)
