"""The Discord bot: a front-end of the engine. This module is its plugin, so it imports neither discord nor pydantic."""

from __future__ import annotations

import click

from kernelbot_core import hookimpl

FEATURES = ("submit", "board", "community", "admin")


@hookimpl
def kernelbot_register_commands(cli: click.Group) -> None:
    """``kernelbot bot``."""
    from kernelbot_bot.command import command

    cli.add_command(command)


@hookimpl
def kernelbot_register_bot_extensions() -> list[str]:
    """The bot's own commands come in by the door that others use."""
    return [f"kernelbot_bot.exts.{name}" for name in FEATURES]
