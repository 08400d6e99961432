"""The end of a job that has no report."""

from __future__ import annotations

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, embed
from kernelbot_bot.render.progress import by, title
from kernelbot_core.model.queue import Ticket


def without_report(ticket: Ticket) -> discord.Embed:
    """Cancelled, or lost by the machine too often."""
    if ticket.state == "cancelled":
        lines = [f"🚫 **CANCELLED**: {plain.text(ticket.reason, 300)}"]
    else:
        lines = [
            f"⚠️ **NOT JUDGED**: {plain.text(ticket.reason, 300)}",
            "the machine failed; nothing counts against you",
        ]
    return embed(title(ticket), [by(ticket.user), *lines], colour=PLAIN)
