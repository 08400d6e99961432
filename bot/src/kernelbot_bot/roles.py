"""Who may do what. Discord's own hiding of commands is a convenience; these checks are what counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import discord
from discord import app_commands

from kernelbot_bot.errors import DeniedError
from kernelbot_bot.terms import Viewer

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

T = TypeVar("T")


def is_admin(interaction: discord.Interaction[KernelBot]) -> bool:
    """Whether the one who asks has an admin role on a server whose roles count."""
    return _has(interaction, interaction.client.options.admin_roles)


def is_maintainer(interaction: discord.Interaction[KernelBot]) -> bool:
    """The same for those who look after problems; admins may too."""
    options = interaction.client.options
    return _has(interaction, [*options.maintainer_roles, *options.admin_roles])


def viewer(interaction: discord.Interaction[KernelBot]) -> Viewer:
    """Who asks, for the engine."""
    return Viewer(id=interaction.user.id, admin=is_admin(interaction))


def admins_only() -> Callable[[T], T]:
    """A check for commands."""
    return app_commands.check(_require(is_admin, "an admin"))


def maintainers_only() -> Callable[[T], T]:
    """A check for commands."""
    return app_commands.check(_require(is_maintainer, "a maintainer"))


def require_maintainer(interaction: discord.Interaction[KernelBot]) -> None:
    """The same for buttons.

    :raises DeniedError: The one who asks is none.
    """
    _require(is_maintainer, "a maintainer")(interaction)


def _require(
    check: Callable[[discord.Interaction[KernelBot]], bool], what: str
) -> Callable[[discord.Interaction[KernelBot]], bool]:
    def answer(interaction: discord.Interaction[KernelBot]) -> bool:
        if not check(interaction):
            raise DeniedError(f"this is for {what} of this bot", _missing(interaction, what))
        return True

    return answer


def _missing(interaction: discord.Interaction[KernelBot], what: str) -> str:
    """What would help; roles are no secret on their own server."""
    options = interaction.client.options
    if interaction.guild_id not in options.trusted_guilds:
        return "roles of this server do not count; the bot's operator says whose do"
    roles = options.admin_roles if what == "an admin" else options.maintainer_roles
    return f"it takes the role {' or '.join(roles)}"


def _has(interaction: discord.Interaction[KernelBot], wanted: Sequence[str]) -> bool:
    """Roles as Discord states them in the interaction; a role that anybody can make elsewhere does not count."""
    trusted = interaction.client.options.trusted_guilds
    if interaction.guild_id not in trusted or not isinstance(interaction.user, discord.Member):
        return False
    return any(role.name in wanted or str(role.id) in wanted for role in interaction.user.roles)
