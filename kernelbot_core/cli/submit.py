"""``kernelbot submit``: judge a file in ranked mode, record and rank it."""

from __future__ import annotations

from pathlib import Path

import click

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._options import check_target, consoles, exit_code, judging, store_option, write_json
from kernelbot_core.cli._progress import show_progress
from kernelbot_core.cli._store import open_told, store_to_write
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.outfile import pack_files
from kernelbot_core.engine.record import record
from kernelbot_core.engine.run import run_job
from kernelbot_core.errors import UserError
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings


@click.command("submit")
@judging
@click.option("--user", metavar="U", help="Name on the board; by default the login name.")
@store_option
def command(
    problem: str,
    file: Path,
    lang: str | None,
    device: str,
    sizes: list[str],
    dtypes: list[str],
    sandbox: str | None,
    json_out: str | None,
    user: str | None,
    store: str | None,
) -> int:
    """Judge FILE against PROBLEM on secret inputs, record it and show its place."""
    found = registry()
    chosen = resolve(problem, found.pack_sources)
    check_target(json_out, file, *pack_files(chosen))
    settings = load_settings(store=store, sandbox=sandbox)
    url = store_to_write(found, store)
    out, noise = consoles(json_out)
    job = accept_file(
        found, chosen, file, settings=settings, lang=lang, device=device, mode="ranked", sizes=sizes, dtypes=dtypes,
        user=user,
    )  # fmt: skip
    kept = open_told(found, url, store)  # before the run: a store that cannot be opened must not cost one
    with show_progress(noise) as hear:
        report = run_job(found, job, hear)
    try:
        recorded = record(found, kept, chosen, job, report)
    except UserError:  # a full disk, say: the verdict has been paid for all the same
        print_card(out, report)
        write_json(report, json_out)
        raise
    finally:
        kept.close()
    print_card(out, report, recorded, problem)
    write_json(report, json_out)
    return exit_code(report)
