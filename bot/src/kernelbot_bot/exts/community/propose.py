"""``/problem propose``: a pack as a zip from anybody, or as a repository from a maintainer."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from kernelbot_bot import packs, plain
from kernelbot_bot.desk import Desk
from kernelbot_bot.roles import require_maintainer
from kernelbot_bot.state import Proposal
from kernelbot_core.errors import RefusedError, UsageError
from kernelbot_core.packs.find import find_problems

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


@app_commands.command(description="Propose a problem pack; maintainers review it.")
@app_commands.describe(
    file="A zip of the pack's folder.", url="Or an https repository; maintainers only.", folder="The pack inside of it."
)
async def propose(
    interaction: discord.Interaction[KernelBot],
    file: discord.Attachment | None = None,
    url: str | None = None,
    folder: str = "",
) -> None:
    """Checked in the sandbox before anybody looks at it."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    if (file is None) == (url is None):
        raise UsageError("a proposal is either a file or an address", "attach a zip of the pack's folder")
    desk, guild, author = interaction.client.desk, interaction.guild_id or 0, interaction.user.id
    if file is not None:
        if file.size > packs.LARGEST_ZIP:
            raise RefusedError(f"the zip has {file.size} bytes, more than {packs.LARGEST_ZIP}", "send the pack alone")
        made = await desk.ask(_from_zip, desk, await file.read(), file.filename, guild, author)
    else:
        require_maintainer(interaction)
        made = await desk.ask(_from_url, desk, url or "", folder, guild, author)
    interaction.client.dispatch("kernelbot_proposal", made)
    await interaction.followup.send(
        f"Proposal {made.id}, {plain.text(made.name)}, is being checked; then it is reviewed."
    )


def _from_zip(desk: Desk, data: bytes, filename: str, guild: int, author: int) -> Proposal:
    place = _place(desk)
    return _keep(desk, place, packs.unzip(data, PurePosixPath(filename).stem.lower(), place), guild, author)


def _from_url(desk: Desk, url: str, folder: str, guild: int, author: int) -> Proposal:
    place = _place(desk)
    return _keep(desk, place, packs.clone(url, folder, place), guild, author)


def _place(desk: Desk) -> Path:
    """Beside the approved packs, on the same file system, so that approving is one rename."""
    from kernelbot_core.engine.accept import new_id

    return desk.packs.parent / f"{desk.packs.name}-proposed" / new_id()


def _keep(desk: Desk, place: Path, name: str, guild: int, author: int) -> Proposal:
    if name in {folder.name for folder in find_problems(desk.sources)}:
        shutil.rmtree(place)
        raise UsageError(f"there is a problem {name} already", "give the pack another name")
    return desk.state.propose(guild=guild, author=author, name=name, folder=str(place / name))
