"""Two entries side by side."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.message import PLAIN, Attached, Shown, embed, small
from kernelbot_bot.render.table import table
from kernelbot_core.engine.compare import Comparison
from kernelbot_core.text import LEAST, percent, seconds

FOLDED = 1500


def comparison(found: Comparison) -> Shown:
    """Times per size, and the difference of the code where it may be seen."""
    a, b = (plain.text(entry.user, 40) for entry in (found.a, found.b))
    lines = [] if found.same_board else [small("of different boards: the times cannot be compared")]
    if found.deltas:
        rows = [
            [delta.size, delta.dtype, seconds(delta.a), seconds(delta.b), _signed(delta.ratio - 1)]
            for delta in found.deltas
        ]
        lines.append(table(("size", "dtype", found.a.user, found.b.user, "difference"), rows, left=2, longest=2000))
    files = []
    if found.hidden:
        lines.append(f"code not shown: {plain.text(found.hidden, 500)}")
    elif found.diff:
        text = "\n".join(found.diff)
        if len(text) <= FOLDED:
            lines.append(plain.block(text, FOLDED + 20, "diff"))
        else:
            files.append(Attached("difference.diff", text.encode()))
    else:
        lines.append("the code is the same")
    return Shown(embed(f"{a} and {b} at {plain.text(found.a.problem)}", lines, colour=PLAIN), files)


def _signed(fraction: float) -> str:
    return ("+" if fraction >= LEAST else "") + percent(fraction)
