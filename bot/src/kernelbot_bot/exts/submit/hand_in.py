"""A wish becomes a job with a number and a place in the queue."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import discord

from kernelbot_bot.desk import Desk
from kernelbot_bot.errors import WithFileError
from kernelbot_bot.names import board_name
from kernelbot_bot.render import progress
from kernelbot_bot.render.message import Attached
from kernelbot_bot.roles import viewer
from kernelbot_bot.spots import spot_for
from kernelbot_bot.terms import Viewer, Wish
from kernelbot_core.engine.queue import Update
from kernelbot_core.errors import UserError
from kernelbot_core.model.header import read_header

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

_FOREIGN = re.compile(r"^(?:async )?def custom_kernel\b", re.MULTILINE)
_OURS = re.compile(r"^(?:async )?def solve\b|^solve\s*=", re.MULTILINE)


async def hand_in(interaction: discord.Interaction[KernelBot], wish: Wish) -> None:
    """Queue it and say its number; the interaction has been acknowledged before.

    :raises UserError: Something in the wish is wrong, or the rules say no.
    """
    desk, asking = interaction.client.desk, viewer(interaction)
    with interaction.client.herald.answering():
        name = await desk.ask(_checked, desk, wish, asking, interaction.user)
        spot = await spot_for(interaction, wish.problem or read_header(wish.source).problem or "")
        ticket, wait = await desk.ask(
            desk.submit, wish, viewer=asking, user=name, guild=interaction.guild_id or 0, spot=spot
        )
        interaction.client.herald.hear(Update(ticket=ticket))
        with contextlib.suppress(discord.HTTPException):  # it is queued all the same, and has its own message
            await interaction.edit_original_response(content=progress.queued(ticket, wait), view=None)


def _checked(desk: Desk, wish: Wish, asking: Viewer, user: discord.User | discord.Member) -> str:
    """The name on the boards of somebody whose file may go on."""
    _check_entry(desk, wish, asking)
    return board_name(desk, user)


def _check_entry(desk: Desk, wish: Wish, asking: Viewer) -> None:
    """Somebody who comes from another judge is told at once, and given a file to start from."""
    if not wish.filename.lower().endswith(".py") or _OURS.search(wish.source) or not _FOREIGN.search(wish.source):
        return
    problem = wish.problem or read_header(wish.source).problem
    lang = wish.lang if wish.lang in desk.registry.languages else "torch"
    try:
        text = desk.registry.languages[lang or "torch"].template(desk.problem(problem or "", asking))
    except (UserError, KeyError):
        text = ""
    said = "the file has custom_kernel(data) only; here the entry is solve, one argument for each tensor"
    if not text:
        raise UserError(said, "/leaderboard problem shows a template")
    raise WithFileError(said, "the file below is a start", Attached("template.py", text.encode()))
