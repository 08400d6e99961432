"""The only place where the commands get a console from."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from kernelbot_core.cli import FAILED
from kernelbot_core.text import safe


class Plain(Console):
    """A console whose text, whoever wrote it, says nothing to the terminal; colours and cursors are rich's own."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Every piece of text passes here, that of a table's cells too."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=safe(segment.text))

    def on_broken_pipe(self) -> None:
        """Nobody reads on (``| head -1``): the exit code of plain lines then, and none that is a verdict."""
        with contextlib.suppress(SystemExit):  # of rich's own, which is 1
            super().on_broken_pipe()
        raise SystemExit(FAILED)


def plain_console(*, stderr: bool = False) -> Console:
    """A console that shows text as it is: ``a[i]`` is an index, and a user may be called ``[/x]``.

    Names, reasons and summaries are written by others; rich would take brackets for markup and ``:bug:`` for a
    picture. What is meant to have a colour is a `rich.text.Text`.
    """
    return Plain(stderr=stderr, markup=False, emoji=False)
