"""The weekly digest: once for each server and week, whatever is restarted."""

from __future__ import annotations

import datetime
import logging
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord.ext import commands, tasks

from kernelbot_bot.desk import Desk
from kernelbot_bot.nonce import nonce
from kernelbot_bot.render.digest import digest_embed
from kernelbot_core.engine.digest import Digest, digest, digest_mark, last_week
from kernelbot_core.engine.queue import mark, take_mark

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

log = logging.getLogger(__name__)
MINUTES = 10.0


class Digests(commands.Cog):
    """Looks at the clock now and then; a digest that a stopped bot has missed is posted late."""

    def __init__(self, bot: KernelBot) -> None:
        self.bot, self.desk = bot, bot.desk

    @commands.Cog.listener()
    async def on_kernelbot_start(self) -> None:
        """Once, when the bot is ready."""
        self.clock.start()

    async def cog_unload(self) -> None:
        """No more."""
        self.clock.cancel()

    @tasks.loop(minutes=MINUTES)
    async def clock(self) -> None:
        """Post what is due."""
        now = self.desk.queue.clock()
        if due(now, self.bot.options.digest_weekday, self.bot.options.digest_hour):
            await self.post(last_week(now))

    async def post(self, week: str) -> None:
        """To every server that wants it and has not had it."""
        for guild, channel in (await self.desk.ask(self.desk.state.guilds_with, "digest")).items():
            once = digest_mark(week, str(guild))
            if await self.desk.ask(mark, self.desk.queue, once) is not None:
                continue
            found = await self.desk.ask(_digest, self.desk, week)
            try:
                if found.boards:
                    there = self.bot.get_partial_messageable(int(channel))
                    await there.send(embed=digest_embed(found), nonce=nonce(once))
            except (discord.HTTPException, aiohttp.ClientError, OSError) as exc:
                log.warning("the digest cannot be posted in %s: %s", channel, exc)
                continue
            await self.desk.ask(take_mark, self.desk.queue, once)


def due(now: float, weekday: int, hour: int) -> bool:
    """Whether the hour of this week's digest has come; it stays so until the week is over."""
    moment = datetime.datetime.fromtimestamp(now, datetime.UTC)
    return (moment.weekday(), moment.hour) >= (weekday, hour)


def _digest(desk: Desk, week: str) -> Digest:
    """Public boards only."""
    return digest(desk.registry, desk.problems(), desk.queue.store, week)
