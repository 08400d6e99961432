"""``kernelbot submit``: judge a file in ranked mode, record and rank it."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._options import exit_code, judging, write_json
from kernelbot_core.cli._progress import show_progress
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.rank import open_store
from kernelbot_core.engine.record import record
from kernelbot_core.engine.run import run_job
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings


@click.command("submit")
@judging
@click.option("--user", help="Name on the board; by default the login name.")
@click.option("--store", help="URL of the store instead of the setting's.")
def command(
    problem: str,
    file: Path,
    lang: str | None,
    device: str,
    sizes: list[str],
    dtypes: list[str],
    json_out: str | None,
    user: str | None,
    store: str | None,
) -> int:
    """Judge FILE against PROBLEM on secret inputs, record it and show its place."""
    found, settings = registry(), load_settings(store=store)
    console = Console(stderr=json_out == "-")
    chosen = resolve(problem, found.pack_sources)
    kept = open_store(found, settings=settings)  # before the run: a store that cannot be opened must not cost one
    job = accept_file(
        found, chosen, file, settings=settings, lang=lang, device=device, mode="ranked", sizes=sizes, dtypes=dtypes,
        user=user,
    )  # fmt: skip
    with show_progress(console) as hear:
        report = run_job(found, job, hear)
    recorded = record(found, kept, chosen, job, report)
    kept.close()
    print_card(console, report, recorded)
    write_json(report, json_out)
    return exit_code(report)
