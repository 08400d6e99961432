"""The one place where errors of commands, buttons and modals become words."""

from __future__ import annotations

import contextlib
import logging
import secrets

import discord
from discord import app_commands

from kernelbot_bot import plain
from kernelbot_bot.render.message import Attached
from kernelbot_core.errors import UserError

log = logging.getLogger(__name__)
GONE = {10062, 10015, 50027}
"""Codes of an interaction whose token is unknown or has expired."""


class DeniedError(UserError, app_commands.CheckFailure):
    """Whoever asks may not; discord.py takes nothing else from a check."""

    http_status = 403


class WithFileError(UserError):
    """Something a person can put right, with a file that helps."""

    def __init__(self, message: str, hint: str, file: Attached) -> None:
        super().__init__(message, hint)
        self.file = file


async def answer(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell the user in one line, or in two with what to do; a bug is logged under a reference that the user gets."""
    cause = unwrap(error)
    if isinstance(cause, discord.HTTPException) and cause.code in GONE:
        log.warning("an interaction had expired", extra=_where(interaction))
        return
    await tell(interaction, words(cause, interaction), cause.file if isinstance(cause, WithFileError) else None)


def unwrap(error: BaseException) -> BaseException:
    """What discord.py has wrapped."""
    while isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    return error


def words(cause: BaseException, interaction: discord.Interaction) -> str:
    """The message for a user."""
    if isinstance(cause, UserError):
        hint = f"\n-# {plain.text(cause.hint, 600)}" if cause.hint else ""
        return plain.text(cause.message, 900) + hint
    if isinstance(cause, app_commands.NoPrivateMessage):
        return "This works on a server only."
    if isinstance(cause, discord.Forbidden):
        log.warning("a permission is missing: %s", cause.text, extra=_where(interaction))
        return "Discord does not let me do that here: I need to see the channel and to send messages and files in it."
    if isinstance(cause, app_commands.CheckFailure | app_commands.CommandNotFound | app_commands.TransformerError):
        return plain.text(cause, 300)
    reference = secrets.token_hex(4)
    log.error("error %s", reference, exc_info=cause, extra=_where(interaction) | {"reference": reference})
    if isinstance(cause, discord.HTTPException):
        return f"Discord did not take the answer (status {cause.status}); try again. Reference {reference}."
    return f"That was a mistake of mine, not yours. Reference {reference}."


async def tell(interaction: discord.Interaction, text: str, attached: Attached | None = None) -> None:
    """Say something to the one who asked and to nobody else, whatever was sent before."""
    file = attached.file() if attached else discord.utils.MISSING
    with contextlib.suppress(discord.HTTPException):  # there is nobody left to tell
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True, file=file)
        else:
            await interaction.response.send_message(text, ephemeral=True, file=file)


def _where(interaction: discord.Interaction) -> dict[str, object]:
    command = interaction.command.qualified_name if interaction.command else None
    pressed = interaction.data.get("custom_id") if interaction.data else None
    return {
        "command": command or pressed, "user_id": interaction.user.id, "guild_id": interaction.guild_id,
    }  # fmt: skip
