"""Commands that plugins bring."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import click

from kernelbot_core.plugins import Registry

HOOK = "kernelbot_register_commands"
log = logging.getLogger(__name__)


def foreign_commands(found: Registry, taken: Iterable[str]) -> dict[str, click.Command]:
    """Commands of every plugin, by name; one plugin at a time, so that none can spoil it for the rest.

    A command whose name is taken is refused and both sides are named; a plugin that raises brings nothing.

    :param taken: Names of our own commands.
    """
    owner = dict.fromkeys(taken, "kernelbot itself")
    commands: dict[str, click.Command] = {}
    for plugin in found.implementing(HOOK):
        group = click.Group()
        try:
            found.manager.only(plugin.name, HOOK)(cli=group)
        except Exception:  # foreign code: the command line must not depend on it
            log.exception("plugin %s of %s failed in %s", plugin.name, plugin.dist, HOOK)
            continue
        for name, command in group.commands.items():
            if name in owner:
                log.error("plugin %s: the command %s is refused, %s has it already", plugin.name, name, owner[name])
            else:
                owner[name] = f"plugin {plugin.name}"
                commands[name] = command
    return commands
