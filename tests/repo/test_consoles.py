"""Text of others reaches the terminal as text: nobody makes a console that reads brackets as markup."""

from __future__ import annotations

import ast

DOOR = "kernelbot_core/cli/_console.py"


def test_consoles_come_from_one_place(root):
    """Found are calls of ``Console``, by whatever path, in everything that is shipped."""
    makers = set()
    for folder in ("kernelbot_core", "plugins", "bot"):
        for path in sorted((root / folder).rglob("*.py")):
            if "tests" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Console":
                    makers.add(str(path.relative_to(root)))
    assert makers == {DOOR}
