"""The only place where the commands print plain lines and JSON from: nothing in them speaks to the terminal."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from kernelbot_core.text import ascii_json, safe

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print text that others may have written, without what a terminal would obey.

    :param err: To standard error.
    :param nl: With a newline behind it.
    """
    click.echo(safe(text), err=err, nl=nl)


def print_json(value: Any) -> None:
    """Any model object, readable."""
    click.echo(ascii_json(msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2)))
