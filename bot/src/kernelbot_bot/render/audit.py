"""The audit log."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import discord

from kernelbot_bot.render.message import PLAIN, embed
from kernelbot_bot.render.table import table
from kernelbot_core.model.queue import Act


def audit_page(acts: Sequence[Act]) -> discord.Embed:
    """One line each, the latest first; times in UTC."""
    if not acts:
        return embed("audit log", ["nothing was done"], colour=PLAIN)
    rows = [
        [
            f"{datetime.datetime.fromtimestamp(act.at, datetime.UTC):%m-%d %H:%M}",
            act.actor,
            act.act,
            act.target,
            act.detail,
        ]
        for act in acts
    ]
    return embed("audit log", [table(("at", "who", "act", "on", "detail"), rows, left=5, longest=3900)], colour=PLAIN)
