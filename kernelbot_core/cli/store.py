"""``kernelbot store``: copy entries, reports and sources to another store."""

from __future__ import annotations

import click

from kernelbot_core.cli._say import say
from kernelbot_core.engine.archive import copy_store, open_store, require_store
from kernelbot_core.errors import UsageError
from kernelbot_core.plugins import registry
from kernelbot_core.text import number, without_password


@click.group("store")
def command() -> None:
    """Look after the store."""


@command.command("copy")
@click.argument("source_url", metavar="FROM")
@click.argument("target_url", metavar="TO")
def copy(source_url: str, target_url: str) -> None:
    """Copy everything from one store URL to another; running it again changes nothing."""
    if source_url == target_url:
        raise UsageError(f"{source_url} is both source and target", "name two stores")
    found = registry()
    require_store(found, source_url)
    source, target = open_store(found, source_url), open_store(found, target_url)
    done = copy_store(source, target)
    target.close()
    source.close()
    entries, reports = number(done.entries, "entry", "entries"), number(done.reports, "report")
    say(f"{entries}, {reports} and {number(done.sources, 'source')} are in {without_password(target_url)}")
