"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._say import say
from kernelbot_core.engine.outfile import check_file, write_file
from kernelbot_core.errors import UsageError
from kernelbot_core.model.report import Report, dump
from kernelbot_core.text import ascii_json

EXIT = {"passed": 0, "infrastructure": 3}
"""Exit code by status; every other verdict is 1."""


def comma_list(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """Repeated and comma-separated values as one list."""
    parts = [part.strip() for value in values for part in value.split(",") if part.strip()]
    if values and not parts:
        raise click.BadParameter("names nothing", context, option)
    return parts


def some_id(context: click.Context, argument: click.Parameter, text: str) -> str:
    """An id as it was given; nothing begins every id, and names none."""
    if not text.strip().removeprefix("#"):
        raise click.BadParameter("names nothing", context, argument)
    return text


def size_option(text: str) -> Callable[..., Any]:
    """``--size S[,S]``, repeatable."""
    return click.option("--size", "sizes", multiple=True, callback=comma_list, metavar="S[,S]", help=text)


def dtype_option(text: str) -> Callable[..., Any]:
    """``--dtype D[,D]``, repeatable."""
    return click.option("--dtype", "dtypes", multiple=True, callback=comma_list, metavar="D[,D]", help=text)


store_option = click.option("--store", metavar="URL", help="URL of the store instead of the setting's.")


def judging(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what ``run`` and ``submit`` have in common."""
    options = [
        click.argument("problem"),
        click.argument("file", type=click.Path(path_type=Path)),
        click.option("--lang", metavar="L", help="Language; else from the header line, the suffix or the content."),
        click.option("--device", default="auto", show_default=True, metavar="ID", help="cpu, cuda:0 or auto."),
        size_option("Only these sizes."),
        dtype_option("Only these dtypes."),
        click.option("--sandbox", metavar="NAME", help="Sandbox instead of the setting's."),
        click.option("--json", "json_out", metavar="OUT", help="Write the report as JSON; - is standard output."),
    ]
    for decorate in reversed(options):
        command = decorate(command)
    return command


def check_known(problem: str, values: Iterable[str], there: Sequence[str], what: str) -> None:
    """Complain about a size, dtype or language that does not exist.

    :raises UsageError: One of ``values`` is not among those that are there.
    """
    for value in values:
        if value not in there:
            raise UsageError(f"{problem} has no {what} {value}", f"known: {', '.join(there)}")


def check_target(target: str | None, *reads: Path) -> None:
    """Complain about a place where ``--json`` cannot write, before the job has run.

    :param reads: Files that the command reads.
    :raises UsageError: There is no such folder, the name is that of one, or of a file that is read.
    """
    if target is not None and target != "-":
        check_file("--json", Path(target), *reads)


def write_json(report: Report, target: str | None) -> None:
    """Write the report where ``--json`` says.

    :raises UsageError: The file cannot be written.
    """
    if target == "-":
        say(ascii_json(dump(report)))
    elif target:
        write_file("--json", Path(target), ascii_json(dump(report)).encode())


def consoles(json_out: str | None) -> tuple[Console, Console]:
    """Where the card goes and where progress goes: standard output stays free for what was asked for."""
    noise = plain_console(stderr=True)
    return (noise if json_out == "-" else plain_console()), noise


def exit_code(report: Report) -> int:
    """0 passed, 1 any other verdict, 3 infrastructure."""
    return EXIT.get(report.status, 1)
