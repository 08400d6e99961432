"""What the buttons of a job do; each checks on our side who asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import discord

from kernelbot_bot.errors import DeniedError
from kernelbot_bot.render import progress
from kernelbot_bot.render.card import card
from kernelbot_bot.render.message import Attached
from kernelbot_bot.roles import is_admin
from kernelbot_bot.spots import spot_for
from kernelbot_bot.terms import account_of
from kernelbot_core.engine.queue import Update, report_of, ticket
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import Ticket
from kernelbot_core.model.report import Report, dump

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]


async def cancel(interaction: Ask, job_id: str) -> None:
    """End a job that waits or runs."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    found = await _own(interaction, job_id)
    if not found.live:
        raise UsageError(f"job {found.id} has ended already", "nothing is left to cancel")
    after = await desk.ask(desk.dispatcher.cancel, found.id, actor=account_of(interaction.user.id))
    what = "is cancelled" if after.state == "cancelled" else "ends within seconds"
    await interaction.followup.send(f"#{after.id} {what}.", ephemeral=True)


async def again(interaction: Ask, job_id: str) -> None:
    """Send the same source once more."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    bot = interaction.client
    found = await _own(interaction, job_id, admins=False)  # it counts against the limit of its author
    spot = await spot_for(interaction, found.problem)
    made, wait = await bot.desk.ask(bot.desk.again, found.id, account=interaction.user.id, spot=spot)
    bot.herald.hear(Update(ticket=made))
    await interaction.followup.send(progress.queued(made, wait), ephemeral=True)


async def attach(interaction: Ask, job_id: str) -> None:
    """The whole report as a file, for its author only: it may hold compiler text with parts of the source."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    found, report = await _report(interaction, job_id)
    file = Attached(f"report-{found.id}.json", dump(report)).file()
    await interaction.followup.send(file=file, ephemeral=True)


async def thread(interaction: Ask, job_id: str) -> None:
    """A private thread about this job, made only when somebody wants it."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    found, report = await _report(interaction, job_id)
    if not isinstance(interaction.channel, discord.TextChannel):
        raise UsageError("there are no private threads here", "use the button in a text channel")
    name = f"{found.problem} #{found.id}"[:100]
    made = await interaction.channel.create_thread(name=name, type=discord.ChannelType.private_thread, invitable=True)
    _, recorded = await interaction.client.desk.ask(interaction.client.desk.outcome, found)
    shown = card(report, recorded)
    await made.add_user(interaction.user)
    await made.send(embed=shown.embed, files=[one.file() for one in [*shown.files, *_texts(report)]][:10])
    await interaction.followup.send(made.mention, ephemeral=True)


def _texts(report: Report) -> list[Attached]:
    """What a thread has room for: everything that was said, and the report."""
    said = [("build.txt", report.build.text), ("printed.txt", report.output.text)]
    files = [Attached(name, text.encode()) for name, text in said if text.strip()]
    return [*files, Attached(f"report-{report.id}.json", dump(report))]


async def _own(interaction: Ask, job_id: str, *, admins: bool = True) -> Ticket:
    desk = interaction.client.desk
    found = await desk.ask(ticket, desk.queue, job_id)
    if found.account != account_of(interaction.user.id) and not (admins and is_admin(interaction)):
        raise DeniedError("this is somebody else's job", "submit your own with /leaderboard submit")
    return found


async def _report(interaction: Ask, job_id: str) -> tuple[Ticket, Report]:
    desk = interaction.client.desk
    found = await _own(interaction, job_id)
    report = await desk.ask(report_of, desk.queue, found.id)
    if report is None:
        raise UsageError(f"job {found.id} has no report", "those of test and benchmark jobs are kept for a week")
    return found, report


ACTS: dict[str, Callable[[Ask, str], Awaitable[None]]] = {
    "cancel": cancel, "rerun": again, "json": attach, "thread": thread,
}  # fmt: skip
