"""Changes of a podium in words."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.place import MEDALS
from kernelbot_core.engine.podium import PodiumChange
from kernelbot_core.engine.queue import Update
from kernelbot_core.model.entry import Entry
from kernelbot_core.text import seconds


def podium_lines(update: Update, entry: Entry | None) -> list[str]:
    """A headline and one line for each who rose, came, fell or left."""
    gpu = entry.gpu if entry else update.ticket.device
    head = f"**{plain.text(update.ticket.problem)}** on **{plain.text(gpu, 40)}**"
    return [head, *(_line(change) for change in update.podium)]


def _line(change: PodiumChange) -> str:
    who = f"**{plain.text(change.user, 40)}**"
    if change.now is None:
        return f"▪️ {who} is off the podium"
    medal = MEDALS.get(change.now, "")
    verb = {"new": "takes", "up": "rises to", "down": "falls to"}.get(change.change, "is at")
    return f"{medal}{who} {verb} place {change.now} with {seconds(change.score)}"
