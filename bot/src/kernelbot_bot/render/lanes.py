"""The queue at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, embed, small
from kernelbot_bot.render.progress import duration, ordinal
from kernelbot_bot.render.table import table
from kernelbot_core.model.queue import Lane, Ticket, Wait


def lanes_page(labels: Mapping[str, str], lanes: Sequence[Lane], mine: Sequence[tuple[Ticket, Wait]]) -> discord.Embed:
    """Each device with what waits for it, then the viewer's own jobs."""
    known = {lane.device: lane for lane in lanes}
    rows = []
    for device in [*labels, *(device for device in known if device not in labels)]:
        lane = known.get(device) or Lane(device=device, flow="open", reason="", waiting=0, running=None)
        rows.append([device, labels.get(device, "not here"), lane.flow, lane.running or "-", str(lane.waiting)])
    lines = [table(("device", "label", "state", "runs", "waiting"), rows, left=4)]
    for ticket, wait in mine:
        what = f"runs (attempt {ticket.attempt})" if ticket.state != "queued" else ordinal(wait)
        soon = f", ends in about {duration(wait.ends_in)}" if wait.ends_in is not None else ""
        lines.append(f"#{ticket.id} · {plain.text(ticket.problem)} · {what}{soon}")
    return embed("queue", lines if mine else [*lines, small("no job of yours waits")], colour=PLAIN)
