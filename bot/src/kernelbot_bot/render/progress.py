"""The status message while a job waits and runs."""

from __future__ import annotations

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import BUSY, PLAIN, embed, small
from kernelbot_core.model.event import Event
from kernelbot_core.model.queue import Ticket, Wait

STAGES = (("build", "compile"), ("correctness", "correctness"), ("benchmark", "benchmark"))
SHOWN = {"start": 0, "build": 1, "correctness": 2, "benchmark": 3, "done": 4}


def title(ticket: Ticket) -> str:
    """``#id · problem · language · device · mode``."""
    names = (ticket.problem, ticket.language, ticket.device, ticket.mode)
    return f"#{ticket.id} · " + " · ".join(plain.text(name, 40) for name in names)


def waiting(ticket: Ticket, wait: Wait, *, paused: str = "") -> discord.Embed:
    """In the queue: place and estimate."""
    line = f"⏳ queued, {ordinal(wait)}"
    if paused:
        line += f"; {plain.text(ticket.device, 20)} is paused: {plain.text(paused, 200)}"
    elif wait.starts_in is not None:
        line += f"; starts in about {duration(wait.starts_in)}"
    lost = (
        [small(f"the machine failed {ticket.faults}x; it runs again, nothing counts against you")]
        if ticket.faults
        else []
    )
    return embed(title(ticket), [by(ticket.user), line, *lost], colour=PLAIN, footer=plain.bare(ticket.filename))


def running(ticket: Ticket, event: Event | None) -> discord.Embed:
    """One line per stage; the present one counts its cases."""
    now = SHOWN.get(event.phase, 0) if event else 0
    lines = [_stage(number, name, now, event) for number, (_, name) in enumerate(STAGES, start=1)]
    if ticket.cancelling:
        lines.append("cancelling …")
    return embed(title(ticket), [by(ticket.user), "started", *lines], colour=BUSY, footer=plain.bare(ticket.filename))


def _stage(number: int, name: str, now: int, event: Event | None) -> str:
    if number < now:
        return f"✅ {name}"
    if number > now or event is None:
        return f"▫️ {name}"
    count = f" {event.n} / {event.of}" if event.of else ""
    bad = " ❌" if event.ok is False else ""
    return f"⏱️ {name}{count}{bad}"


def queued(ticket: Ticket, wait: Wait | None) -> str:
    """What the one who submitted hears at once."""
    return f"#{ticket.id} queued{f', {ordinal(wait)}' if wait else ''}."


def ordinal(wait: Wait) -> str:
    """``next``, or ``position 3 of 12``."""
    if wait.position <= 1:
        return "next to start" if wait.position == 1 else "about to start"
    return f"position {wait.position} of {wait.of}"


def duration(seconds: float) -> str:
    """``20 s``, ``3 min``, ``2 h``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"


def by(user: str) -> str:
    """Whose it is. By name: a mention shows as a number to those who do not know the member."""
    return f"by **{plain.text(user, 64)}**"
