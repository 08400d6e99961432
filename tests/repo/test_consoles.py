"""Text of others reaches the terminal as text: nobody makes a console that reads brackets as markup."""

from __future__ import annotations

import ast

DOOR = "kernelbot_core/cli/_console.py"
SAYS = {"kernelbot_core/cli/_say.py", "kernelbot_core/cli/__init__.py"}
"""The second says only what we wrote: that it was interrupted, that the disk is full."""


def makers(root, *names):
    """Files of everything that is shipped that call one of these, by whatever path."""
    found = set()
    for folder in ("kernelbot_core", "plugins", "bot"):
        for path in sorted((root / folder).rglob("*.py")):
            if "tests" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names:
                    found.add(str(path.relative_to(root)))
    return found


def test_consoles_come_from_one_place(root):
    assert makers(root, "Console", "Plain") == {DOOR}


def test_lines_are_said_in_one_place(root):
    assert makers(root, "echo", "secho") == SAYS
