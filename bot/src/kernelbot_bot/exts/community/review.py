"""From a proposal to a problem: the check, the sheet for maintainers, approve and reject."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord.ext import commands

from kernelbot_bot import plain
from kernelbot_bot.errors import answer
from kernelbot_bot.exts.community.checking import approve, check
from kernelbot_bot.render.review import sheet
from kernelbot_bot.roles import require_maintainer
from kernelbot_bot.state import Proposal
from kernelbot_core.errors import UsageError, UserError

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]

log = logging.getLogger(__name__)
LOOKS = {"approve": discord.ButtonStyle.success, "reject": discord.ButtonStyle.danger}


class Reviews(commands.Cog):
    """Checks one proposal at a time and posts the sheet."""

    def __init__(self, bot: KernelBot) -> None:
        self.bot, self.desk = bot, bot.desk
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    @commands.Cog.listener()
    async def on_kernelbot_proposal(self, proposal: Proposal) -> None:
        """A new one, or one whose check a restart has cut short."""
        task = asyncio.create_task(self._review(proposal), name=f"review {proposal.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @commands.Cog.listener()
    async def on_kernelbot_start(self) -> None:
        """Once, when the bot is ready."""
        for proposal in await self.desk.ask(self.desk.state.proposals, "checking"):
            await self.on_kernelbot_proposal(proposal)

    async def cog_unload(self) -> None:
        """What is cut short is checked again after the next start."""
        for task in self._tasks:
            task.cancel()

    async def _review(self, proposal: Proposal) -> None:
        async with self._turn:
            try:
                sound, text = await self.desk.ask_long(check, self.desk, proposal)
            except UserError as exc:
                sound, text = False, f"{exc.message}\n{exc.hint}"
            moved = await self.desk.ask(self.desk.state.settle, proposal.id, "checking", "pending", sheet=text)
        if moved:
            await self._post(proposal, text, sound=sound)

    async def _post(self, proposal: Proposal, text: str, *, sound: bool) -> None:
        channel = await self.desk.ask(self.desk.state.setting, proposal.guild, "review")
        if channel is None:
            log.warning("proposal %s waits: no channel hears of reviews; /admin channel review sets it", proposal.id)
            return
        shown = sheet(proposal, text, sound=sound)
        view = discord.ui.View(timeout=None)
        for act in LOOKS:
            view.add_item(ReviewButton(act, proposal.id))
        try:
            target = self.bot.get_partial_messageable(int(channel))
            await target.send(embed=shown.embed, files=[one.file() for one in shown.files], view=view)
        except discord.HTTPException as exc:
            log.warning("the review of proposal %s cannot be posted: %s", proposal.id, exc.text)


class ReviewButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"kb:(?P<act>approve|reject):(?P<number>[0-9]{1,12})"
):
    """One button under a sheet; works after a restart."""

    def __init__(self, act: str, number: int) -> None:
        super().__init__(discord.ui.Button(label=act.capitalize(), style=LOOKS[act], custom_id=f"kb:{act}:{number}"))
        self.act, self.number = act, number

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,  # noqa: ARG003 - discord.py's signature
        item: discord.ui.Item[Any],  # noqa: ARG003 - the same
        match: re.Match[str],
        /,
    ) -> Self:
        """Make it again from what Discord sends."""
        return cls(match["act"], int(match["number"]))

    async def callback(self, interaction: Ask) -> None:  # type: ignore[override]  # narrower: our client only
        """Maintainers only."""
        try:
            require_maintainer(interaction)
            if self.act == "reject":
                await interaction.response.send_modal(Reason(self.number))
                return
            await interaction.response.defer()
            desk = interaction.client.desk
            proposal = await desk.ask(approve, desk, self.number, interaction.user.id)
            await close(interaction, proposal, f"✅ approved by {interaction.user.mention}")
            await _tell(interaction, proposal, f"Your problem {plain.text(proposal.name)} is on the boards. Thank you!")
        except Exception as exc:  # noqa: BLE001 - the one handler takes everything, as for commands
            await answer(interaction, exc)


class Reason(discord.ui.Modal, title="Reject a problem"):
    """Asks why; the author reads it."""

    why: discord.ui.Label[Any] = discord.ui.Label(
        text="What must change",
        component=discord.ui.TextInput(style=discord.TextStyle.paragraph, max_length=1000, min_length=3),
    )

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    async def on_submit(self, interaction: Ask) -> None:  # type: ignore[override]  # narrower: our client only
        require_maintainer(interaction)
        await interaction.response.defer()
        assert isinstance(self.why.component, discord.ui.TextInput)
        reason, state = self.why.component.value, interaction.client.desk.state
        ask = interaction.client.desk.ask
        if not await ask(state.settle, self._number, "pending", "rejected", reason=reason):
            raise UsageError(f"proposal {self._number} has been settled already", "look at the newest message about it")
        proposal = await ask(state.proposal, self._number)
        await ask(interaction.client.desk.note, interaction.user.id, "reject", f"proposal {self._number}", reason)
        assert proposal is not None
        said = f"❌ rejected by {interaction.user.mention}: {plain.text(reason, 500)}"
        await close(interaction, proposal, said)
        await _tell(interaction, proposal, f"{plain.text(proposal.name)} was not taken: {plain.text(reason, 1000)}")

    async def on_error(  # type: ignore[override]  # discord.py gives a modal no item
        self, interaction: discord.Interaction, error: Exception, /
    ) -> None:
        await answer(interaction, error)


async def close(interaction: Ask, proposal: Proposal, said: str) -> None:
    """The sheet stays, its buttons go."""
    message = interaction.message
    assert message is not None
    await message.edit(content=f"Proposal {proposal.id}: {said}", view=None)


async def _tell(interaction: Ask, proposal: Proposal, text: str) -> None:
    """The author, by direct message; many people take none."""
    with contextlib.suppress(discord.HTTPException):
        author = await interaction.client.fetch_user(proposal.author)
        await author.send(text)
