"""``kernelbot bot``: starts the bot, or says in one line why it cannot."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from kernelbot_core.errors import UsageError

NEEDS = {"discord": "discord.py", "pydantic_settings": "pydantic-settings", "matplotlib": "matplotlib"}


@click.command("bot")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="TOML file; KERNELBOT_BOT_* variables win over it.",
)
@click.option("--check", is_flag=True, help="Read the settings and open the store and the queue, then stop.")
def command(config: Path | None, check: bool) -> int:
    """Run the Discord bot until it is told to stop."""
    missing = [wheel for module, wheel in NEEDS.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise UsageError(f"the bot needs {', '.join(missing)}", "pip install 'kernelbot[bot]'")
    from kernelbot_bot.settings import load
    from kernelbot_bot.start import start

    return start(load(config), check=check)
