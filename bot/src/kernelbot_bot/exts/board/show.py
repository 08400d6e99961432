"""``/leaderboard show`` and ``/leaderboard history``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.ask import Which, check, find_board, label_of
from kernelbot_bot.desk import Desk
from kernelbot_bot.errors import answer
from kernelbot_bot.render import board as render
from kernelbot_bot.render.message import PLAIN, Attached, embed
from kernelbot_bot.render.plot import history_plot
from kernelbot_bot.render.table import table
from kernelbot_bot.roles import viewer
from kernelbot_bot.terms import Viewer
from kernelbot_core.engine.board import Board
from kernelbot_core.engine.history import Reign
from kernelbot_core.engine.history import history as find_history
from kernelbot_core.engine.queue import may_see
from kernelbot_core.errors import UsageError
from kernelbot_core.text import seconds

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

WAIT_S = 600.0
LAST = 8
WHAT = {
    "problem": "Whose board.",
    "gpu": "On which GPU; else the first that has entries.",
    "lang": "Only this language.",
    "size": "The board of one size instead of the overall one.",
    "dtype": "The board of this dtype; else the problem's first.",
}
CHOICES: dict[str, Any] = {
    "problem": choices.problems, "gpu": choices.gpus, "lang": choices.langs, "size": choices.sizes,
    "dtype": choices.dtypes,
}  # fmt: skip


@app_commands.command(description="Who is first at a problem.")
@app_commands.describe(**WHAT)
@app_commands.autocomplete(**CHOICES)
async def show(
    interaction: discord.Interaction[KernelBot],
    problem: str,
    gpu: str | None = None,
    lang: str | None = None,
    size: str | None = None,
    dtype: str | None = None,
) -> None:
    """A board of members is shown to the one who asks only."""
    desk = interaction.client.desk
    await interaction.response.defer(thinking=True, ephemeral=not await desk.ask(may_see, desk.queue, problem, None))
    which = Which(problem=problem, gpu=gpu, lang=lang, size=size, dtype=dtype)
    found, others = await desk.ask(find_board, desk, which, viewer(interaction))
    pages = Pages(found, others) if render.pages(found) > 1 else discord.utils.MISSING
    await interaction.followup.send(embed=render.show(found, others=others), view=pages)


class Pages(discord.ui.View):
    """Turns the pages of what was asked for; a pinned board is the one that keeps up to date."""

    def __init__(self, board: Board, others: list[str]) -> None:
        super().__init__(timeout=WAIT_S)
        self._board, self._others, self._page = board, others, 1

    @discord.ui.button(label="◀", style=discord.ButtonStyle.secondary)
    async def back(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
        """The page before."""
        await self._turn(interaction, -1)

    @discord.ui.button(label="▶", style=discord.ButtonStyle.secondary)
    async def forth(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
        """The page after."""
        await self._turn(interaction, 1)

    async def on_error(self, interaction: discord.Interaction, error: Exception, item: Any, /) -> None:  # noqa: ARG002 - discord.py's own arguments
        await answer(interaction, error)

    async def _turn(self, interaction: discord.Interaction, by: int) -> None:
        self._page = (self._page - 1 + by) % render.pages(self._board) + 1
        await interaction.response.edit_message(embed=render.show(self._board, self._page, others=self._others))


@app_commands.command(description="How first place moved, as a picture.")
@app_commands.describe(**WHAT)
@app_commands.autocomplete(**CHOICES)
async def history(
    interaction: discord.Interaction[KernelBot],
    problem: str,
    gpu: str | None = None,
    lang: str | None = None,
    size: str | None = None,
    dtype: str | None = None,
) -> None:
    """The picture is drawn on a thread."""
    desk = interaction.client.desk
    await interaction.response.defer(thinking=True, ephemeral=not await desk.ask(may_see, desk.queue, problem, None))
    which = Which(problem=problem, gpu=gpu, lang=lang, size=size, dtype=dtype)
    title, reigns, picture = await desk.ask(_history, desk, which, viewer(interaction))
    rows = [[r.start[:10], plain.cell(r.user, 13), r.language, seconds(r.score)] for r in reigns[-LAST:][::-1]]
    made = embed(title, [table(("since", "first", "lang", "time"), rows, left=3)], colour=PLAIN)
    made.set_image(url=f"attachment://{picture.name}")
    await interaction.followup.send(embed=made, file=picture.file())


def _history(desk: Desk, which: Which, asking: Viewer) -> tuple[str, list[Reign], Attached]:
    problem = desk.problem(which.problem, asking)
    check(which, problem, desk)
    label, _ = label_of(desk, problem, which.gpu)
    reigns = find_history(
        desk.registry, problem, desk.queue.store, gpu=label, lang=which.lang, dtype=which.dtype, size=which.size
    )
    if not reigns:
        raise UsageError(f"nobody has stood first at {problem.name} on {label}", "be the first: /leaderboard submit")
    names = (problem.name, label, which.lang or "all languages", which.dtype or problem.board_dtype)
    title = " · ".join((*names, which.size or "overall"))
    return f"📈 {plain.text(title, 200)}", reigns, history_plot(title, reigns)
