"""``kernelbot history``: who held first place when."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import click
from rich.text import Text

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._fit import Column, print_fitting
from kernelbot_core.cli._options import check_known, store_option
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._store import open_told, store_to_read
from kernelbot_core.engine.history import Reign, history
from kernelbot_core.errors import UsageError
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.text import one_line, seconds, times


@click.command("history")
@click.argument("problem")
@click.option("--gpu", metavar="G", help="Board label, such as H200 or cpu; needed when several have entries.")
@click.option("--lang", metavar="L", help="Only this language.")
@click.option("--size", metavar="S", help="The board of this size instead of the overall one.")
@click.option("--dtype", metavar="D", help="The board of this dtype; by default the problem's first.")
@store_option
@json_option
def command(
    problem: str,
    gpu: str | None,
    lang: str | None,
    size: str | None,
    dtype: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Show how first place at PROBLEM moved."""
    found = registry()
    chosen = resolve(problem, found.pack_sources)
    for value, there, what in (
        (size, chosen.sizes, "size"), (dtype, list(chosen.bindings), "dtype"),
        (lang, list(found.languages), "language"),
    ):  # fmt: skip
        check_known(chosen.name, [] if value is None else [value], there, what)
    kept = open_told(found, store_to_read(found, store), store)
    label = _label(chosen.name, list(kept.gpus(chosen.name)), gpu)
    reigns = history(found, chosen, kept, gpu=label, lang=lang, size=size, dtype=dtype) if label else []
    kept.close()
    if as_json:
        print_json({"problem": chosen.name, "gpu": label, "reigns": reigns})
    elif reigns:
        _print(reigns)
    else:
        name = one_line(chosen.name)
        say(f"{name}: nobody has stood first here yet; be the first: kernelbot submit {name} FILE")


def _label(problem: str, there: list[str], gpu: str | None) -> str | None:
    """The board that is meant; None when there is none at all, which is no error."""
    if not there:
        return None
    wanted = [label for label in there if gpu is None or label.lower() == gpu.lower()]
    if len(wanted) == 1:
        return wanted[0]
    known = ", ".join(there)
    if not wanted:
        raise UsageError(f"{problem} has no entries on {gpu}", f"there are some on: {known}")
    raise UsageError(f"{problem} has entries on several GPUs", f"choose with --gpu: {known}")


def _print(reigns: list[Reign]) -> None:
    gains = [times(before.score / reign.score) for before, reign in itertools.pairwise(reigns)]
    told: list[tuple[str, int, Iterable[str]]] = [
        ("from", 1, (reign.start[:16] for reign in reigns)),
        ("until", 3, ((reign.end or "")[:16] for reign in reigns)),
        ("user", 0, (one_line(reign.user) for reign in reigns)),
        ("language", 2, (one_line(reign.language) for reign in reigns)),
        ("score", 0, (seconds(reign.score) for reign in reigns)),
        ("gain", 4, ("", *gains)),
        ("run", 0, (reign.report for reign in reigns)),
    ]
    print_fitting(plain_console(), [Column(title, [*map(Text, cells)], spare=spare) for title, spare, cells in told])
