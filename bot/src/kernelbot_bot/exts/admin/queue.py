"""Devices of the queue, the audit log, and which channel hears what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands

from kernelbot_bot import choices, plain
from kernelbot_bot.render.audit import audit_page
from kernelbot_bot.roles import admins_only
from kernelbot_bot.terms import account_of
from kernelbot_core.engine.devices import find_device
from kernelbot_core.engine.queue import audit_log, set_flow
from kernelbot_core.model.queue import Flow

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

    Ask = discord.Interaction[KernelBot]

DEVICE = "Id of the device, such as cuda:0."


@app_commands.command(description="Start no more jobs on a device; it still takes them.")
@app_commands.describe(device=DEVICE, reason="Shown to those who wait.")
@app_commands.autocomplete(device=choices.devices)
@admins_only()
async def pause(interaction: discord.Interaction[KernelBot], device: str, reason: str = "") -> None:
    """What runs goes on."""
    await _flow(interaction, device, "paused", reason)


@app_commands.command(description="Take no more jobs for a device; those that wait still run.")
@app_commands.describe(device=DEVICE, reason="Shown to those who submit.")
@app_commands.autocomplete(device=choices.devices)
@admins_only()
async def drain(interaction: discord.Interaction[KernelBot], device: str, reason: str = "") -> None:
    """Before the machine goes away."""
    await _flow(interaction, device, "draining", reason)


@app_commands.command(description="Take and start jobs on a device again.")
@app_commands.describe(device=DEVICE)
@app_commands.autocomplete(device=choices.devices)
@admins_only()
async def resume(interaction: discord.Interaction[KernelBot], device: str) -> None:
    """Undoes pause and drain."""
    await _flow(interaction, device, "open", "")


@app_commands.command(description="What was done, by whom, the latest first.")
@app_commands.describe(target="Only about this device, job, entry, problem or account.")
@admins_only()
async def audit(interaction: discord.Interaction[KernelBot], target: str | None = None) -> None:
    """For the one who asks."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    acts = await desk.ask(audit_log, desk.queue, target=target, limit=40)
    await interaction.followup.send(embed=audit_page(acts))


@app_commands.command(description="Which channel hears what; here when none is named.")
@app_commands.describe(what="Podium changes, the weekly digest, or proposals to review.", where="The channel.")
@admins_only()
async def channel(
    interaction: discord.Interaction[KernelBot],
    what: Literal["news", "digest", "review"],
    where: discord.TextChannel | None = None,
) -> None:
    """Per server."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk, chosen = interaction.client.desk, where.id if where else interaction.channel_id
    await desk.ask(desk.state.set, interaction.guild_id or 0, what, str(chosen))
    await desk.ask(desk.note, interaction.user.id, "channel", what, str(chosen))
    await interaction.followup.send(f"{what} goes to <#{chosen}>.")


async def _flow(interaction: Ask, device: str, flow: Flow, reason: str) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    desk = interaction.client.desk
    await desk.ask(find_device, desk.registry, device)
    lane = await desk.ask(set_flow, desk.queue, device, flow, actor=account_of(interaction.user.id), reason=reason)
    desk.dispatcher.wake()
    await interaction.followup.send(f"{plain.text(lane.device)} is {lane.flow}; {lane.waiting} jobs wait.")
