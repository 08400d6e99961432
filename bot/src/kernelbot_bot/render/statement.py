"""A statement as a chat shows it: paragraphs flow, tables line up, nothing pings."""

from __future__ import annotations

import itertools
import re

from kernelbot_bot.render.table import table

_ALONE = re.compile(r"^(\s{4}|#|[-*+] |\d+\. |>|\||$)")


def chat(markdown: str) -> str:
    """Discord breaks lines where the file does, and knows no tables: both are put right; fenced code stays."""
    parts: list[str] = []
    fenced = False
    for kind, group in itertools.groupby(markdown.replace("@", "@\u200b").splitlines(), _kind):
        lines = list(group)
        if kind == "fence":
            fenced = fenced != bool(len(lines) % 2)
            parts += lines
        elif fenced or kind == "alone":
            parts += lines
        elif kind == "table":
            parts.append(_table(lines))
        elif kind == "code":
            parts.append("```\n" + "\n".join(line[4:] for line in lines) + "\n```")
        else:
            parts.append(" ".join(line.strip() for line in lines))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def _kind(line: str) -> str:
    if line.startswith("```"):
        return "fence"
    if line.startswith("|"):
        return "table"
    if line.startswith("    "):
        return "code"
    return "alone" if _ALONE.match(line) else "text"


def _table(lines: list[str]) -> str:
    rows = [[cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")] for line in lines]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    width = max(len(row) for row in rows)
    rows = [row + [""] * (width - len(row)) for row in rows]
    return table(rows[0], rows[1:], left=width)
