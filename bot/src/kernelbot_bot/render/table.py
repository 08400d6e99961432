"""Tables in code blocks, which is the only way to line up columns in a chat."""

from __future__ import annotations

from collections.abc import Sequence

from kernelbot_bot import plain


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1, longest: int = 3000, gap: int = 2
) -> str:
    """A code block with aligned columns.

    :param left: So many first columns are text and stand left; the others are numbers.
    :param gap: Blanks between columns; an embed shows about 46 characters in a line.
    :param longest: Characters in all; rows that do not fit are counted instead.
    """
    cells = [[plain.cell(value) for value in row] for row in [head, *rows]]
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    lines = [_line(row, widths, left, gap) for row in cells]
    room, shown = longest - 40, 0
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        shown += 1
    more = [f"… {len(lines) - shown} more"] if shown < len(lines) else []
    return "```\n" + "\n".join([*lines[:shown], *more]) + "\n```"


def _line(row: Sequence[str], widths: Sequence[int], left: int, gap: int) -> str:
    parts = [
        value.ljust(width) if n < left else value.rjust(width)
        for n, (value, width) in enumerate(zip(row, widths, strict=True))
    ]
    return (" " * gap).join(parts).rstrip()
