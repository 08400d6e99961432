"""The command line: one file per command, each imported only when it is used."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Sequence
from typing import Any

import click

from kernelbot_core.errors import UserError

COMMANDS = (
    "run", "submit", "leaderboard", "show", "problems", "template", "pack", "store", "plugins", "doctor",
)  # fmt: skip
INTERRUPTED = 130


class Group(click.Group):
    """Built-in commands by file, those of plugins by hook."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS, *sorted(self._foreign())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        if cmd_name in COMMANDS:
            command: click.Command = importlib.import_module(f"kernelbot_core.cli.{cmd_name}").command
            return command
        return self._foreign().get(cmd_name)

    def _foreign(self) -> dict[str, click.Command]:
        from kernelbot_core.cli._foreign import foreign_commands
        from kernelbot_core.plugins import registry

        return foreign_commands(registry(), COMMANDS)


@click.command(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("kernelbot"), prog_name="kernelbot")
def cli() -> None:
    """Judge GPU kernels: build, check against a reference, time, rank."""


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point; the one place where errors become words."""
    try:
        code: Any = cli.main(args=None if argv is None else list(argv), standalone_mode=False)
    except UserError as exc:
        click.echo(f"error: {exc.message}", err=True)
        if exc.hint:
            click.echo(f"hint: {exc.hint}", err=True)
        sys.exit(exc.exit_code)
    except click.ClickException as exc:
        exc.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; that is no error of ours
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
