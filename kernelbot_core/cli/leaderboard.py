"""``kernelbot leaderboard``: the boards of a problem."""

from __future__ import annotations

import datetime
import json

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._units import safe, seconds
from kernelbot_core.engine.rank import open_store, standings
from kernelbot_core.errors import UsageError
from kernelbot_core.model.entry import Standing
from kernelbot_core.model.problem import Problem
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings


@click.command("leaderboard")
@click.argument("problem")
@click.option("--gpu", help="Board label, such as H200 or cpu; by default every one that has entries.")
@click.option("--lang", help="Only this language.")
@click.option("--size", help="The board of one size instead of the overall one.")
@click.option("--dtype", help="By default the problem's first.")
@click.option("--store", help="URL of the store instead of the setting's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    problem: str,
    gpu: str | None,
    lang: str | None,
    size: str | None,
    dtype: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Show who is first at PROBLEM."""
    found = registry()
    chosen = resolve(problem, found.pack_sources)
    _check(chosen, size, dtype, lang, list(found.languages))
    kept = open_store(found, settings=load_settings(store=store))
    labels = list(kept.gpus(chosen.name))
    if gpu and gpu not in labels:
        raise UsageError(f"{chosen.name} has no entries on {gpu}", f"it has: {', '.join(labels) or 'none yet'}")
    shown = dtype or chosen.board_dtype
    boards = {
        label: standings(found, chosen, kept, gpu=label, lang=lang, size=size, dtype=shown)
        for label in ([gpu] if gpu else labels)
    }
    if as_json:
        click.echo(json.dumps(as_dict(chosen, boards, size, shown), indent=2))
        return
    console = Console()
    if not any(boards.values()):
        console.print(f"{chosen.name} has no entries here yet; be the first: kernelbot submit {chosen.name} FILE")
    for label, lines in boards.items():
        if lines:
            console.print(_table(chosen, label, lines, size, shown))


def as_dict(problem: Problem, boards: dict[str, list[Standing]], size: str | None, dtype: str) -> dict[str, object]:
    """The boards as data; times in seconds."""
    return {
        "problem": problem.name, "problem_version": problem.version, "size": size, "dtype": dtype,
        "boards": {label: [msgspec.to_builtins(line) for line in lines] for label, lines in boards.items()},
    }  # fmt: skip


def _check(problem: Problem, size: str | None, dtype: str | None, lang: str | None, languages: list[str]) -> None:
    for value, there, what in (
        (size, problem.sizes, "size"), (dtype, list(problem.bindings), "dtype"), (lang, languages, "language"),
    ):  # fmt: skip
        if value is not None and value not in there:
            raise UsageError(f"{problem.name} has no {what} {value}", f"known: {', '.join(there)}")


def _table(problem: Problem, gpu: str, lines: list[Standing], size: str | None, dtype: str) -> Table:
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    title = f"{problem.name} · {gpu} · {dtype} · {size or 'overall'}"
    table = Table(title=title, title_justify="left", caption=f"as of {now}; ties share a place", caption_justify="left")
    for name in ("rank", "user", "language"):
        table.add_column(name)
    for name in ("median", "p99", "vs baseline", "runs", "sandbox"):
        table.add_column(name, justify="right")
    for line in lines:
        entry = line.entry
        speedup = f"{line.baseline / line.score:.3g}x" if line.baseline else "-"
        place = f"{line.rank}{' =' if line.tied else ''}"
        cells = (
            place,
            entry.user,
            entry.language,
            seconds(line.score),
            seconds(line.p99),
            speedup,
            str(len(entry.runs)),
        )
        table.add_row(*(Text(safe(cell)) for cell in (*cells, entry.sandbox)))
    known = [line.baseline for line in lines if line.baseline]
    if known:
        table.add_row(
            "-",
            Text("baseline", "italic"),
            "torch",
            seconds(sorted(known)[len(known) // 2]),
            "",
            "1x",
            "",
            "",
            style="dim",
        )
    return table
