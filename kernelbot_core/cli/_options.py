"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kernelbot_core.model.report import Report, dump

EXIT = {"passed": 0, "infrastructure": 3}
"""Exit code by status; every other verdict is 1."""


def comma_list(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:  # noqa: ARG001
    """Repeated and comma-separated values as one list."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def judging(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what ``run`` and ``submit`` have in common."""
    for decorate in reversed(
        [
            click.argument("problem"),
            click.argument("file", type=click.Path(path_type=Path)),
            click.option("--lang", help="Language; else from the header line, the suffix or the content."),
            click.option("--device", default="auto", show_default=True, help="cpu, cuda:0 or auto."),
            click.option(
                "--size", "sizes", multiple=True, callback=comma_list, metavar="S[,S]", help="Only these sizes."
            ),
            click.option(
                "--dtype", "dtypes", multiple=True, callback=comma_list, metavar="D[,D]", help="Only these dtypes."
            ),
            click.option("--json", "json_out", metavar="OUT", help="Write the report as JSON; - is standard output."),
        ]
    ):
        command = decorate(command)
    return command


def write_json(report: Report, target: str | None) -> None:
    """Write the report where ``--json`` says."""
    if target == "-":
        click.echo(dump(report).decode())
    elif target:
        Path(target).write_bytes(dump(report))


def exit_code(report: Report) -> int:
    """0 passed, 1 any other verdict, 3 infrastructure."""
    return EXIT.get(report.status, 1)
