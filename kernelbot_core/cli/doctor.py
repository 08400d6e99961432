"""``kernelbot doctor``: what works on this machine, what is missing, and the exact fix."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._say import json_option, print_json
from kernelbot_core.engine.diagnose import NEEDED, Finding, diagnose, works
from kernelbot_core.plugins import registry


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """Say what works here, what is missing, and how to put it right.

    Exit code 0 when a kernel can be judged here and no plugin and no setting is broken, 3 otherwise.
    """
    findings = diagnose(registry())
    sound = works(findings) and not [f for f in findings if f.kind in ("plugins", "settings") and not f.ok]
    if as_json:
        print_json({"ok": sound, "findings": findings})
    else:
        _show(findings, plain_console())
    sys.exit(0 if sound else 3)


def _show(findings: list[Finding], console: Console) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    shown = ""
    for finding in findings:
        mark = Text("ok", "green") if finding.ok else Text("--", "red")
        table.add_row(finding.kind if finding.kind != shown else "", mark, finding.name, Text(finding.detail))
        shown = finding.kind
    console.print(table)
    console.print()
    for kind in NEEDED:
        names = [f.name for f in findings if f.kind == kind and f.ok and f.counts]
        style = "green" if names else "bold red"
        console.print(Text(f"works here: {kind}: {', '.join(names) or 'none'}", style), soft_wrap=True)
    for finding in findings:
        if not finding.ok:
            fix = f"  ->  {finding.fix}" if finding.fix else ""
            word = "wrong" if finding.kind == "settings" else "missing"
            console.print(Text(f"{word}: {finding.name}: {finding.detail}{fix}", "yellow"), soft_wrap=True)
