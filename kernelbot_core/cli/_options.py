"""Options that several commands share."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from kernelbot_core.cli._console import plain_console
from kernelbot_core.errors import UsageError
from kernelbot_core.model.report import Report, dump

EXIT = {"passed": 0, "infrastructure": 3}
"""Exit code by status; every other verdict is 1."""


def comma_list(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """Repeated and comma-separated values as one list."""
    parts = [part.strip() for value in values for part in value.split(",") if part.strip()]
    if values and not parts:
        raise click.BadParameter("names nothing", context, option)
    return parts


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


def check_target(target: str | None) -> None:
    """Complain about a place where ``--json`` cannot write, before the job has run.

    :raises UsageError: There is no such folder, or the name is that of one.
    """
    if target is not None and target != "-":
        check_file("--json", Path(target))


def check_file(option: str, path: Path) -> None:
    """Complain about a place where an option cannot write, before anything is measured.

    :raises UsageError: There is no such folder, the name is that of one, or it cannot be written.
    """
    try:
        if not path.parent.is_dir():
            raise UsageError(f"{option} {path}: there is no folder {path.parent}", "make it first")
        if path.is_dir():
            raise UsageError(f"{option} {path}: is a folder", "name a file")
        _try_to_write(path)
    except OSError as exc:
        raise _unwritable(option, path, exc) from exc


def _try_to_write(path: Path) -> None:
    """Open it as a writer would, and leave what is there as it is. Permissions alone do not tell: not in ``/proc``."""
    if path.is_file():
        path.open("ab").close()
    elif path.exists():  # a pipe or a terminal: opening one could wait, or end its reader
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    elif not path.is_symlink():  # one to a file that is not there yet is made with it
        path.open("xb").close()
        path.unlink()


def _unwritable(option: str, path: Path, exc: OSError) -> UsageError:
    return UsageError(f"{option} {path}: cannot be written: {exc.strerror}", "choose a file that you can write")


def write_json(report: Report, target: str | None) -> None:
    """Write the report where ``--json`` says.

    :raises UsageError: The file cannot be written.
    """
    if target == "-":
        click.echo(dump(report).decode())
    elif target:
        write_file("--json", Path(target), dump(report))


def write_file(option: str, path: Path, data: bytes) -> None:
    """Write where an option says.

    :raises UsageError: The file cannot be written.
    """
    try:
        path.write_bytes(data)
    except OSError as exc:
        raise _unwritable(option, path, exc) from exc


def consoles(json_out: str | None) -> tuple[Console, Console]:
    """Where the card goes and where progress goes: standard output stays free for what was asked for."""
    noise = plain_console(stderr=True)
    return (noise if json_out == "-" else plain_console()), noise


def exit_code(report: Report) -> int:
    """0 passed, 1 any other verdict, 3 infrastructure."""
    return EXIT.get(report.status, 1)
