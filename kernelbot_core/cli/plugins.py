"""``kernelbot plugins``: what is loaded, from where, what it brings, and what was set aside."""

from __future__ import annotations

import click
import msgspec
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._say import json_option, print_json
from kernelbot_core.cli._table import print_table
from kernelbot_core.plugins import Plugin, Registry, registry


@click.command("plugins")
@json_option
def command(as_json: bool) -> None:
    """List the plugins, what each brings, and those that were set aside."""
    found = registry()
    if as_json:
        print_json(as_dict(found))
        return
    console = plain_console()
    print_table(console, _table(found), breaks=True)
    for name in found.manager.off:
        console.print(Text(f"left out on request: {name}", "dim"), soft_wrap=True)
    for one in found.broken:
        console.print(Text(f"set aside: {one.name} ({one.dist}): {one.why}", "red"), soft_wrap=True)


def as_dict(found: Registry) -> dict[str, object]:
    """The same as data: ``plugins``, ``broken``, ``disabled``."""
    return {
        "plugins": [msgspec.to_builtins(plugin) for plugin in found.plugins],
        "broken": [msgspec.to_builtins(one) for one in found.broken],
        "disabled": found.manager.off,
    }


def _table(found: Registry) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("plugin", "distribution", "version"):
        table.add_column(column, no_wrap=True)
    table.add_column("brings", overflow="fold")
    # One name a line: a name is what people search for, so none of them is broken.
    table.add_column("hooks", no_wrap=True)
    for plugin in found.plugins:
        table.add_row(plugin.name, plugin.dist, plugin.version, _brings(plugin), _hooks(plugin))
    return table


def _brings(plugin: Plugin) -> str:
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in plugin.brings.items())


def _hooks(plugin: Plugin) -> str:
    return "\n".join(hook.removeprefix("kernelbot_") for hook in plugin.hooks)
