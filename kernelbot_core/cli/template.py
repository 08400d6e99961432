"""``kernelbot template``: a starting point from the problem's signature."""

from __future__ import annotations

from pathlib import Path

import click

from kernelbot_core.cli._say import say
from kernelbot_core.engine.outfile import check_file
from kernelbot_core.errors import UsageError
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry


@click.command("template")
@click.argument("problem")
@click.option("--lang", help="Language of the template; required.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file instead of standard output.")
def command(problem: str, lang: str | None, output: Path | None) -> None:
    """Print a starting point for PROBLEM that builds."""
    found = registry()
    if lang is None:
        raise UsageError("a template needs a language", f"say --lang {' or --lang '.join(found.languages)}")
    if lang not in found.languages:
        raise UsageError(f"there is no language {lang}", f"known: {', '.join(found.languages)}")
    if output is not None:
        check_file("-o", output)
    text = found.languages[lang].template(resolve(problem, found.pack_sources))
    if output is None:
        say(text, nl=not text.endswith("\n"))
        return
    try:
        with output.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{output} is there already", "choose another name") from None
    except OSError as exc:
        raise UsageError(f"{output}: {exc.strerror}", "choose a folder that is there and writable") from None
    say(f"wrote {output}; try: kernelbot run {problem} {output}")
