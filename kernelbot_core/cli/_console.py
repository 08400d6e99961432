"""The only place where the commands get a console from."""

from __future__ import annotations

from rich.console import Console


def plain_console(*, stderr: bool = False) -> Console:
    """A console that shows text as it is: ``a[i]`` is an index, and a user may be called ``[/x]``.

    Names, reasons and summaries are written by others; rich would take brackets for markup and ``:bug:`` for a
    picture. What is meant to have a colour is a `rich.text.Text`.
    """
    return Console(stderr=stderr, markup=False, emoji=False)
