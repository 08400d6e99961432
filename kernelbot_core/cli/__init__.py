"""The command line: one file per command, each imported only when it is used."""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
import importlib.metadata
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, NoReturn

import click

from kernelbot_core.errors import UserError

# What `kernelbot --help` says, so that it need not import the commands.
COMMANDS = {
    "run": "Judge a file and record nothing.",
    "submit": "Judge a file on secret inputs, record it and show its place.",
    "leaderboard": "Show who is first at a problem.",
    "show": "Show the report of a job.",
    "history": "Show how first place at a problem moved.",
    "compare": "Compare two entries: times, and code where it is public.",
    "me": "Show one's places, points and jobs over all boards.",
    "queue": "Look at the queue, add to it, run it.",
    "admin": "Look after accounts, entries and boards.",
    "problems": "List the problems.",
    "template": "Print a starting point for a problem.",
    "pack": "Look after problem packs.",
    "store": "Look after the store.",
    "plugins": "List the plugins, what each brings, and those that were set aside.",
    "selftest": "Judge known kernels against themselves: what the clocks of this machine can tell.",
    "doctor": "Say what works here, what is missing, and how to put it right.",
}
INTERRUPTED = 130
FAILED = 3
"""The machine failed."""


class Group(click.Group):
    """Built-in commands by file, those of plugins by hook."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS, *sorted(self._foreign())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        if cmd_name in COMMANDS:
            command: click.Command = importlib.import_module(f"kernelbot_core.cli.{cmd_name}").command
            return command
        return self._foreign().get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The same, with a suggestion: the commands are not where click would look for names like this one."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), 3)
            ctx.fail(f"No such command '{name}'." + (f" Did you mean {' or '.join(near)}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same
        foreign = self._foreign()
        rows = list(COMMANDS.items()) + [(name, foreign[name].get_short_help_str()) for name in sorted(foreign)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _foreign(self) -> dict[str, click.Command]:
        from kernelbot_core.cli._foreign import foreign_commands
        from kernelbot_core.plugins import registry

        return foreign_commands(registry(), COMMANDS)


@click.command(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("kernelbot"), prog_name="kernelbot")
def cli() -> None:
    """Judge GPU kernels: build, check against a reference, time, rank."""


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's arguments
    raise KeyboardInterrupt


@contextlib.contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """While it lasts, a signal to end is the same way out as Ctrl-C: every process ended, every folder removed.

    Afterwards it is what it was: one that comes in the interpreter's last breath is no traceback.
    """
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def _open_streams() -> None:
    """Lead closed streams (``>&-``) nowhere: the next file that is opened would get the number, and what is printed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _unwritable(exc: OSError) -> NoReturn:
    """The output cannot be written (full disk, closed pipe): one line, unless somebody only stopped reading.

    :raises OSError: It is about something else.
    """
    if exc.errno not in (errno.ENOSPC, errno.EPIPE) or exc.filename is not None:
        raise exc
    # What is still buffered would raise once more at the interpreter's exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if exc.errno == errno.ENOSPC:
        click.echo(f"error: cannot write the output: {exc.strerror}", err=True)
    sys.exit(FAILED)


def _no_text(exc: UnicodeEncodeError) -> NoReturn:
    """Bytes of the command line that are no text came to where text is needed, such as a database: one line.

    :raises UnicodeEncodeError: It is about something else, an output that is not UTF-8.
    """
    if exc.encoding != "utf-8":
        raise exc
    click.echo(f"error: {exc.object[:100]!a} is not UTF-8 text", err=True)
    click.echo("hint: write it in UTF-8, as in a terminal whose locale is C.UTF-8", err=True)
    sys.exit(2)


def _show(exc: click.ClickException) -> None:
    """What click says of wrong options; it quotes them as they came."""
    from kernelbot_core.cli._say import say

    text = io.StringIO()
    exc.show(text)
    say(text.getvalue(), err=True, nl=False)


@contextlib.contextmanager
def errors_in_words() -> Iterator[None]:
    """What a person can put right ends the program with its words and its exit code, without a traceback."""
    try:
        yield
    except UserError as exc:
        from kernelbot_core.cli._say import say
        from kernelbot_core.text import without_password

        say(f"error: {without_password(exc.message)}", err=True)
        if exc.hint:
            say(f"hint: {without_password(exc.hint)}", err=True)
        sys.exit(exc.exit_code)


@_ended_as_by_ctrl_c()
@errors_in_words()
def main(argv: Sequence[str] | None = None) -> None:
    """Entry point; the one place where errors become words.

    Exit codes: 0 passed, 1 any other verdict, 2 wrong usage, 3 the machine failed, 130 interrupted.
    """
    _open_streams()
    try:
        code: Any = cli.main(args=None if argv is None else list(argv), prog_name="kernelbot", standalone_mode=False)
        sys.stdout.flush()  # a full disk shows here, not in the interpreter's last breath
    except click.ClickException as exc:
        _show(exc)
        sys.exit(2)
    except OSError as exc:
        _unwritable(exc)
    except UnicodeEncodeError as exc:
        _no_text(exc)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(code if isinstance(code, int) else 0)
