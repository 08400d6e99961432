"""``kernelbot run``: judge a file, record nothing."""

from __future__ import annotations

from pathlib import Path

import click

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._options import check_target, consoles, exit_code, judging, write_json
from kernelbot_core.cli._progress import show_progress
from kernelbot_core.engine.run import judge_file
from kernelbot_core.model.submission import Mode
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings


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
    sandbox: str | None,
    json_out: str | None,
    mode: Mode,
    seed: int | None,
) -> int:
    """Judge FILE against PROBLEM (a name, or a path with a /) and record nothing."""
    check_target(json_out)
    found = registry()
    out, noise = consoles(json_out)
    with show_progress(noise) as hear:
        report = judge_file(
            found, resolve(problem, found.pack_sources), file, settings=load_settings(sandbox=sandbox), lang=lang,
            device=device, mode=mode, sizes=sizes, dtypes=dtypes, seed=seed, on_event=hear,
        )  # fmt: skip
    print_card(out, report)
    write_json(report, json_out)
    return exit_code(report)
