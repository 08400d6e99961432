"""``/leaderboard archive``: every first place with its code, as far as it is public."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.ask import label_of
from kernelbot_bot.desk import Desk
from kernelbot_bot.render.message import FILE_BYTES, Attached
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Viewer
from kernelbot_core.engine.history import Reign, history
from kernelbot_core.engine.queue import board_rules
from kernelbot_core.engine.release import check_release
from kernelbot_core.errors import RefusedError, UsageError
from kernelbot_core.model.entry import Entry
from kernelbot_core.text import number, seconds

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="How the best solution evolved: every first place, with code where it is public.")
@app_commands.describe(problem="At which problem.", gpu="On which GPU.")
@app_commands.autocomplete(problem=choices.problems, gpu=choices.gpus)
async def archive(interaction: discord.Interaction[KernelBot], problem: str, gpu: str | None = None) -> None:
    """A zip for the one who asks."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    said, file = await desk.ask(_archive, desk, problem, gpu, viewer(interaction))
    await interaction.followup.send(said, file=file.file())


def _archive(desk: Desk, name: str, gpu: str | None, asking: Viewer) -> tuple[str, Attached]:
    problem = desk.problem(name, asking)
    label, _ = label_of(desk, problem, gpu)
    store = desk.queue.store
    reigns = history(desk.registry, problem, store, gpu=label)
    if not reigns:
        raise UsageError(f"nobody has stood first at {name} on {label}", "be the first: /leaderboard submit")
    entries = {entry.id: entry for entry in store.entries(name, label)}
    rule, who = board_rules(desk.queue, name).release, desk.state.name_of(asking.id)
    lines, data, shown = [f"# First places of {name} on {label}", ""], io.BytesIO(), 0
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as target:
        for number_, reign in enumerate(reigns, start=1):
            entry = entries[reign.entry]
            try:
                check_release(desk.registry, problem, store, entry, viewer=who, now=desk.queue.clock(), release=rule)
            except RefusedError as exc:
                lines.append(f"{_line(number_, reign)}; code: {exc.hint}")
                continue
            file = _name(number_, entry)
            target.writestr(file, store.source(reign.source) or "")
            lines.append(f"{_line(number_, reign)}; code: {file}")
            shown += 1
        target.writestr("README.md", "\n".join(lines) + "\n")
    if len(data.getvalue()) > FILE_BYTES:
        raise UsageError("the archive is larger than what Discord takes", "look at single entries with /code")
    said = f"{number(len(reigns), 'first place')}, {shown} with code"
    return said, Attached(f"{name}-{plain.filename(label, 'gpu')}.zip", data.getvalue())


def _line(place: int, reign: Reign) -> str:
    return f"{place}. {reign.start}: {plain.text(reign.user, 64)}, {seconds(reign.score)}, {reign.language}"


def _name(place: int, entry: Entry) -> str:
    return f"{place:03}-{plain.filename(entry.user, 'member')}-{plain.filename(entry.filename, 'kernel.txt')}"
