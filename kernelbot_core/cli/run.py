"""``kernelbot run``: judge a file, record nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._options import check_target, consoles, exit_code, judging, write_json
from kernelbot_core.cli._progress import show_progress
from kernelbot_core.engine.outfile import pack_files
from kernelbot_core.engine.run import judge_file
from kernelbot_core.engine.sandbox import OPEN
from kernelbot_core.errors import UsageError
from kernelbot_core.model.submission import Measure, Mode
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import Settings, load_settings

MOST = 20
UNSAFE = "unsafe: this code can read your files, use your network and change your account; the result is never ranked"


def instances(context: click.Context, option: click.Parameter, text: str | None) -> int | None:
    """``N|auto`` as a number; 0 is auto."""
    if text is None or text == "auto":
        return None if text is None else 0
    if not text.isdigit() or not 1 <= int(text) <= MOST:
        raise click.BadParameter(f"{text} is neither auto nor a number from 1 to {MOST}", context, option)
    return int(text)


@click.command("run")
@judging
@click.option("--unsafe", is_flag=True, help="Without walls: plain processes, for your own code; never ranked.")
@click.option("--mode", type=click.Choice(["test", "benchmark", "ranked"]), default="benchmark", show_default=True,
              help="test: correctness only; benchmark: public inputs; ranked: secret inputs.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Public seed instead of the problem's own.")
@click.option("--sanitize", is_flag=True, help="Run under the language's memory checker; needs --mode test.")
@click.option(
    "--instances",
    callback=instances,
    metavar="N|auto",
    help="Processes that measure a kernel below 0.4 ms on a GPU; auto: 9 below 7 us, 5 below 0.1 ms, else 3. "
    "Default: auto when ranked, else 1.",
)
@click.option(
    "--flush",
    type=click.Choice(["read", "write"]),
    default="read",
    show_default=True,
    help="Flush the caches before each call by reading, or by writing as do_bench does (GPU, never ranked).",
)
def command(
    problem: str,
    file: Path,
    lang: str | None,
    device: str,
    sizes: list[str],
    dtypes: list[str],
    sandbox: str | None,
    json_out: str | None,
    unsafe: bool,
    mode: Mode,
    seed: int | None,
    sanitize: bool,
    instances: int | None,
    flush: Literal["read", "write"],
) -> int:
    """Judge FILE against PROBLEM (a name, or a path with a /) and record nothing."""
    found = registry()
    chosen = resolve(problem, found.pack_sources)
    check_target(json_out, file, *pack_files(chosen))
    settings = sandbox_settings(sandbox, unsafe=unsafe)
    out, noise = consoles(json_out)
    if unsafe:
        noise.print(UNSAFE, style="bold red", soft_wrap=True)
    with show_progress(noise) as hear:
        report = judge_file(
            found, chosen, file, settings=settings, lang=lang,
            device=device, mode=mode, sizes=sizes, dtypes=dtypes, seed=seed, sanitize=sanitize,
            measure=Measure(instances=instances, flush=flush), on_event=hear,
        )  # fmt: skip
    print_card(out, report)
    write_json(report, json_out)
    return exit_code(report)


def sandbox_settings(sandbox: str | None, *, unsafe: bool) -> Settings:
    """Settings with what ``--sandbox`` and ``--unsafe`` say.

    :raises UsageError: They contradict each other.
    """
    if not unsafe:
        return load_settings(sandbox=sandbox)
    if sandbox not in (None, OPEN):
        raise UsageError(f"--unsafe and --sandbox {sandbox} contradict each other", "leave one of them out")
    return load_settings(sandbox=OPEN, require_sandbox=False)
