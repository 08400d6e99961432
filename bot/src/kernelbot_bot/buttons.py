"""Buttons under a job's message. They carry the job in their id, so that they work after a restart too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord

from kernelbot_bot.acts import ACTS
from kernelbot_bot.errors import answer

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

LOOKS = {
    "cancel": ("Cancel", discord.ButtonStyle.danger),
    "rerun": ("Run again", discord.ButtonStyle.primary),
    "json": ("Report", discord.ButtonStyle.secondary),
    "thread": ("Private thread", discord.ButtonStyle.secondary),
}


class JobButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"kb:(?P<act>cancel|rerun|json|thread):(?P<job>[0-9a-v]{1,16})",
):
    """One button of one job."""

    def __init__(self, act: str, job: str) -> None:
        label, style = LOOKS[act]
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=f"kb:{act}:{job}"))
        self.act, self.job = act, job

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,  # noqa: ARG003 - discord.py's signature
        item: discord.ui.Item[Any],  # noqa: ARG003 - the same
        match: re.Match[str],
        /,
    ) -> Self:
        """Make it again from what Discord sends; the id is checked when it is used."""
        return cls(match["act"], match["job"])

    async def callback(self, interaction: discord.Interaction[KernelBot]) -> None:  # type: ignore[override]  # narrower: our client only
        """Do it, or say why not."""
        try:
            await ACTS[self.act](interaction, self.job)
        except Exception as exc:  # noqa: BLE001 - the one handler takes everything, as for commands
            await answer(interaction, exc)


def wait_view(job: str) -> discord.ui.View:
    """Under a job that waits or runs."""
    return _view(job, "cancel")


def after_view(job: str, *, report: bool) -> discord.ui.View:
    """Under a job that has ended."""
    return _view(job, "rerun", *(("json", "thread") if report else ()))


def _view(job: str, *acts: str) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for act in acts:
        view.add_item(JobButton(act, job))
    return view
