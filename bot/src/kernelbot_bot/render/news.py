"""Changes of a podium in words."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.place import MEDALS
from kernelbot_core.engine.podium import PodiumChange
from kernelbot_core.engine.queue import PodiumNews
from kernelbot_core.text import seconds


def podium_lines(news: PodiumNews) -> list[str]:
    """A headline and one line for each who rose, came, fell or left."""
    head = f"**{plain.text(news.problem)}** on **{plain.text(news.gpu, 40)}**"
    return [head, *(_line(change) for change in news.changes)]


def _line(change: PodiumChange) -> str:
    who = f"**{plain.text(change.user, 40)}**"
    if change.now is None:
        return f"▪️ {who} is off the podium"
    medal = MEDALS.get(change.now, "")
    verb = {"new": "takes", "up": "rises to", "down": "falls to"}.get(change.change, "is at")
    return f"{medal}{who} {verb} place {change.now} with {seconds(change.score)}"
