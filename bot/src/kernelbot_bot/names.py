"""What a member is called on the boards."""

from __future__ import annotations

import discord

from kernelbot_bot.desk import Desk
from kernelbot_core.engine.user import checked_user
from kernelbot_core.errors import UsageError


def board_name(desk: Desk, user: discord.User | discord.Member) -> str:
    """The member's name, claimed at the first submission; one that somebody else has on a board gets a number."""
    known = desk.state.name_of(user.id)
    if known is not None:
        return known
    try:
        name = checked_user(user.name)
    except UsageError:  # Discord's own rules change; a name that cannot stand on a board must not stop anybody
        name = f"member-{user.id}"
    return desk.state.claim(user.id, name, taken=_on_a_board(desk, name))


def _on_a_board(desk: Desk, name: str) -> bool:
    """Asked once for each member: somebody may have submitted under it on the command line."""
    store = desk.queue.store
    return any(entry.user.lower() == name.lower() for problem in store.problems() for entry in store.entries(problem))
