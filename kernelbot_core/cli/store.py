"""``kernelbot store copy``: move entries, reports and sources to another store."""

from __future__ import annotations

import click

from kernelbot_core.engine.rank import open_store
from kernelbot_core.plugins import registry


@click.group("store")
def command() -> None:
    """Look after the store."""


@command.command("copy")
@click.argument("source_url", metavar="FROM")
@click.argument("target_url", metavar="TO")
def copy(source_url: str, target_url: str) -> None:
    """Copy everything from one store to another; running it again changes nothing."""
    found = registry()
    source, target = open_store(found, source_url), open_store(found, target_url)
    entries = 0
    for problem in source.problems():
        for entry in source.entries(problem):
            text = source.source(entry.source)
            if text is not None:
                target.put_source(text)
            for run in entry.runs:
                target.add_run(entry, run)
            entries += 1
    reports = source.reports()
    for report_id in reports:
        report = source.report(report_id)
        if report is not None:
            target.put_report(report)
    target.close()
    source.close()
    click.echo(f"{entries} entries and {len(reports)} reports are in {target_url}")
