"""``kernelbot show``: the stored report of a job."""

from __future__ import annotations

import click

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import some_id, store_option
from kernelbot_core.cli._say import say
from kernelbot_core.cli._store import open_told, store_to_read
from kernelbot_core.errors import UsageError
from kernelbot_core.model.report import dump
from kernelbot_core.plugins import registry
from kernelbot_core.text import ascii_json


@click.command("show")
@click.argument("job_id", metavar="ID", callback=some_id)
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--source", "with_source", is_flag=True, help="Print the submission's source instead.")
def command(job_id: str, store: str | None, as_json: bool, with_source: bool) -> None:
    """Show the report of job ID, or of the only one that starts so."""
    if as_json and with_source:
        raise UsageError("--json and --source exclude each other", "ask for one of them")
    found = registry()
    url = store_to_read(found, store)
    kept = open_told(found, url, store)
    wanted = job_id.strip().removeprefix("#")
    report = kept.report(wanted)
    if report is None:
        several = [known for known in kept.reports() if wanted and known.startswith(wanted)]
        if several:
            raise UsageError(f"{len(several)} reports start with {wanted}", f"such as {', '.join(several[-3:])}")
        raise UsageError(
            f"there is no report {job_id} in {url}",
            "`kernelbot submit` prints the id of each job; those of `kernelbot run` are not recorded",
        )
    if as_json:
        say(ascii_json(dump(report)))
    elif with_source:
        source = kept.source(report.source)
        if source is None:
            raise UsageError(f"the source of {report.id} is not in {url}", "only ranked jobs are kept")
        say(source, nl=not source.endswith("\n"))
    else:
        print_card(plain_console(), report, whose=True)
