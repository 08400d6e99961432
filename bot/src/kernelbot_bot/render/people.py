"""The ranking of users, and one user's own page."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, embed, small
from kernelbot_bot.render.table import table
from kernelbot_core.engine.me import Me
from kernelbot_core.engine.points import Score
from kernelbot_core.text import number

TOP = 20
FORMULA = (
    "a place brings weight × 100 × n / (n + 4) / √rank; weight 1 intro, 2 intermediate, 3 hard; n users on the board"
)


def ranking(scores: Sequence[Score], viewer: str | None) -> discord.Embed:
    """The first twenty, and the viewer wherever they stand."""
    shown = list(scores[:TOP])
    shown += [score for score in scores[TOP:] if score.user == viewer]
    rows = [
        [str(s.rank), s.user, f"{s.points:.1f}", str(len(s.boards)), str(sum(b.rank == 1 for b in s.boards))]
        for s in shown
    ]
    body = table(("#", "user", "points", "boards", "firsts"), rows, left=2) if rows else "nobody has points yet"
    return embed(
        "🏅 ranking over all boards", [body, small(f"{FORMULA}")], colour=PLAIN, footer=number(len(scores), "user")
    )


def own_page(me: Me) -> discord.Embed:
    """Points, boards and jobs of one user."""
    if me.rank is None:
        lines = ["no entry yet: /leaderboard submit makes the first"]
    else:
        lines = [f"**rank {me.rank}** with {me.points:.1f} points, first on {number(me.firsts, 'board')}"]
    if me.boards:
        rows = [[b.problem, b.gpu, f"{b.rank} / {b.of}", f"{b.points:.1f}"] for b in me.boards]
        lines.append(table(("problem", "gpu", "rank", "points"), rows, left=2, longest=2500))
    if me.jobs:
        lines.append("jobs: " + ", ".join(f"{count} {plain.text(what, 20)}" for what, count in me.jobs.items()))
    return embed(plain.text(me.user, 64), lines, colour=PLAIN)
