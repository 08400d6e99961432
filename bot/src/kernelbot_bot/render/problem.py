"""Problems: the list, and one with its statement and templates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import discord

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, Attached, Shown, embed, small
from kernelbot_bot.render.statement import chat
from kernelbot_bot.render.table import table
from kernelbot_core.model.problem import Problem

LONGEST = 3000
"""Characters of a statement that are shown; longer ones come as a file."""


def listing(problems: Sequence[Problem]) -> discord.Embed:
    """One line each."""
    rows = [[p.name, p.file.difficulty, p.file.area, " ".join(p.bindings), str(len(p.sizes))] for p in problems]
    head = ("problem", "class", "area", "dtypes", "sizes")
    body = table(head, rows, left=4, longest=3800) if rows else "there are no problems here"
    return embed("problems", [body, small("/leaderboard problem shows one, with a template")], colour=PLAIN)


def statement(problem: Problem, templates: Sequence[Attached]) -> Shown:
    """What a participant reads, and files to start from.

    A pack was reviewed before it came here, so that its markdown is kept; a mention in it still pings nobody.
    """
    text = chat(_readme(problem))
    files = list(templates)
    if len(text) > LONGEST:
        files.append(Attached(f"{problem.name}.md", text.encode()))
        text = text[:LONGEST].rpartition("\n")[0] + "\n\n… all of it is in the file"
    sizes = ", ".join(problem.sizes)
    facts = f"{problem.file.difficulty} · {plain.text(problem.file.area)} · {plain.text(', '.join(problem.bindings))}"
    made = embed(plain.text(problem.file.title, 200), [facts, f"sizes: {plain.text(sizes, 300)}", text], colour=PLAIN)
    return Shown(made, files[:10])


def _readme(problem: Problem) -> str:
    try:
        return (Path(problem.path) / "README.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return plain.text(problem.file.summary, 500)
