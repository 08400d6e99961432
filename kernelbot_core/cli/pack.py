"""``kernelbot pack check``: a pack held against itself."""

from __future__ import annotations

import itertools
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._failure import names
from kernelbot_core.cli._progress import watch_findings
from kernelbot_core.cli._table import print_table
from kernelbot_core.cli.run import sandbox_settings
from kernelbot_core.engine.check_samples import check_samples
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.check import check_pack
from kernelbot_core.packs.find import resolve
from kernelbot_core.packs.finding import Finding
from kernelbot_core.plugins import registry
from kernelbot_core.runner.review import check_behind_walls
from kernelbot_core.text import number, one_line

TITLES = {"pack": "Files", "cell": "Grid", "property": "Properties", "sample": "Samples"}
GREY = "dim"
UNSAFE = "unsafe: the code of this pack can read your files, use your network and change your account"


@click.group("pack")
def command() -> None:
    """Look after problem packs."""


@command.command("check")
@click.argument("path", metavar="PATH")
@click.option("--no-samples", is_flag=True, help="Leave out the samples, which take the longest.")
@click.option("--unsafe", is_flag=True, help="Without walls: plain processes, for your own pack.")
def check(path: str, no_samples: bool, unsafe: bool) -> int:
    """Prove that the pack at PATH (or of that name) judges what it says it judges.

    Its code runs in the sandbox. Exit code 0 when everything holds, 1 when something does not.
    """
    found, settings = registry(), sandbox_settings(None, unsafe=unsafe)
    # A folder here is meant when it is a pack, even without the slash that PROBLEM asks for elsewhere.
    here = (Path(path) / "problem.toml").is_file()
    problem = resolve(f"./{path}" if here and not Path(path).is_absolute() else path, found.pack_sources)
    console, noise = plain_console(), plain_console(stderr=True)
    console.print(Text(f"{problem.name}  {problem.path}", "bold"), soft_wrap=True)
    if unsafe:
        noise.print(UNSAFE, style="bold red", soft_wrap=True)
    steps = [check_pack(problem) if unsafe else check_behind_walls(found, settings, problem)]
    steps += [] if no_samples else [check_samples(problem, settings)]
    findings = list(watch_findings(itertools.chain(*steps), noise))
    for group, title in TITLES.items():
        mine = [finding for finding in findings if finding.group == group]
        if mine:
            print_table(console, _table(title, mine))
    return _verdict(console, problem, findings)


def _table(title: str, findings: list[Finding]) -> Table:
    columns = list(dict.fromkeys(finding.check for finding in findings))
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, no_wrap=True)
    cells = {(finding.name, finding.check): _cell(finding) for finding in findings}
    for name in dict.fromkeys(finding.name for finding in findings):
        table.add_row(one_line(name), *(cells.get((name, column), Text("")) for column in columns))
    return table


def _cell(finding: Finding) -> Text:
    if finding.ok is None:
        return Text(f"- {one_line(finding.text)}", GREY)
    return Text(f"✓ {one_line(finding.text)}", "green") if finding.ok else Text("✗", "red")


def _verdict(console: Console, problem: Problem, findings: list[Finding]) -> int:
    bad = [finding for finding in findings if finding.ok is False]
    same: dict[str, list[str]] = {}
    for finding in bad:  # one slip in the pack's code shows in every cell, and is said once
        same.setdefault(f"{finding.check}: {one_line(finding.text)}", []).append(finding.name)
    for said, where in same.items():
        console.print(Text("✗ ", "red") + Text(f"{names(where)}: {said}"), soft_wrap=True)
    open_ones = sum(finding.ok is None for finding in findings)
    left = f", {open_ones} not looked at here" if open_ones else ""
    if bad:
        console.print(Text("FAILED", "bold red") + Text(f": {problem.name}: {number(len(bad), 'finding')}{left}"))
        return 1
    console.print(Text("SOUND", "bold green") + Text(f": {problem.name}: {number(len(findings), 'proof')}{left}"))
    return 0
