"""``kernelbot run``: judge a file, record nothing."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._options import exit_code, judging, write_json
from kernelbot_core.cli._progress import show_progress
from kernelbot_core.engine.run import judge_file
from kernelbot_core.model.submission import Mode
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry


@click.command("run")
@judging
@click.option("--mode", type=click.Choice(["test", "benchmark", "ranked"]), default="benchmark", show_default=True,
              help="test: correctness only; benchmark: public inputs; ranked: secret inputs.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Public seed instead of the problem's own.")
def command(
    problem: str,
    file: Path,
    lang: str | None,
    device: str,
    sizes: list[str],
    dtypes: list[str],
    json_out: str | None,
    mode: Mode,
    seed: int | None,
) -> int:
    """Judge FILE against PROBLEM (a name, or a path with a /) and record nothing."""
    found = registry()
    console = Console(stderr=json_out == "-")
    with show_progress(console) as hear:
        report = judge_file(
            found, resolve(problem, found.pack_sources), file, lang=lang, device=device, mode=mode, sizes=sizes,
            dtypes=dtypes, seed=seed, on_event=hear,
        )  # fmt: skip
    print_card(console, report)
    write_json(report, json_out)
    return exit_code(report)
