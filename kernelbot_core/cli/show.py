"""``kernelbot show``: the stored report of a job."""

from __future__ import annotations

import click
from rich.console import Console

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._units import safe
from kernelbot_core.engine.rank import open_store
from kernelbot_core.errors import UsageError
from kernelbot_core.model.report import dump
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings


@click.command("show")
@click.argument("job_id", metavar="ID")
@click.option("--store", help="URL of the store instead of the setting's.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--source", "with_source", is_flag=True, help="Print the submission's source.")
def command(job_id: str, store: str | None, as_json: bool, with_source: bool) -> None:
    """Show the report of job ID, or of the only one that starts so."""
    kept = open_store(registry(), settings=load_settings(store=store))
    report = kept.report(job_id.removeprefix("#"))
    if report is None:
        raise UsageError(f"there is no single report {job_id}", "`kernelbot submit` prints the id of each job")
    if as_json:
        click.echo(dump(report).decode())
    elif with_source:
        click.echo(safe(kept.source(report.source) or ""))
    else:
        print_card(Console(), report)
