"""What the channel hears: changes of the podium, and pinned boards that follow."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord.ext import commands

from kernelbot_bot import plain
from kernelbot_bot.ask import Which, find_board
from kernelbot_bot.nonce import nonce
from kernelbot_bot.render import board as render
from kernelbot_bot.render.news import podium_lines
from kernelbot_bot.state import Pin
from kernelbot_core.engine.queue import PodiumNews, Update, drop_news, mark, may_see, podium_news, take_mark
from kernelbot_core.errors import UserError

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot

log = logging.getLogger(__name__)


class News(commands.Cog):
    """Listens to the queue."""

    def __init__(self, bot: KernelBot) -> None:
        self.bot, self.desk = bot, bot.desk
        self._announcing = asyncio.Lock()
        self._due: dict[str, asyncio.Task[None]] = {}

    @commands.Cog.listener()
    async def on_kernelbot_update(self, update: Update) -> None:
        """A new entry: tell what it changed, and let pinned boards follow soon."""
        if update.recorded is None or update.recorded.entry is None:
            return
        await self.on_kernelbot_board(update.ticket.problem)
        await self._announce_all()

    @commands.Cog.listener()
    async def on_kernelbot_start(self) -> None:
        """What a process that was killed has not announced."""
        await self._announce_all()

    @commands.Cog.listener()
    async def on_kernelbot_board(self, problem: str) -> None:
        """A board has changed."""
        if problem not in self._due:
            self._due[problem] = asyncio.create_task(self._refresh(problem), name=f"pins of {problem}")

    async def cog_unload(self) -> None:
        """Nothing is posted any more."""
        for task in self._due.values():
            task.cancel()

    async def _announce_all(self) -> None:
        async with self._announcing:
            for news in await self.desk.ask(podium_news, self.desk.queue):
                public = await self.desk.ask(may_see, self.desk.queue, news.problem, None)
                if not public or await self._announce(news):
                    await self.desk.ask(drop_news, self.desk.queue, news.job)

    async def _announce(self, news: PodiumNews) -> bool:
        """Tell every server that wants to know; False when one has to be told later."""
        text, told = "\n".join(podium_lines(news)), True
        for guild, channel in (await self.desk.ask(self.desk.state.guilds_with, "news")).items():
            once = f"podium:{guild}:{news.job}"
            if await self.desk.ask(mark, self.desk.queue, once) is not None:
                continue
            try:
                await self.bot.get_partial_messageable(int(channel)).send(text, nonce=nonce(once))
            except (discord.DiscordServerError, aiohttp.ClientError, OSError) as exc:
                log.warning("the podium is announced in %s later: %s", channel, type(exc).__name__)
                told = False
                continue
            except discord.HTTPException as exc:  # no such channel, or no right to speak there: not later either
                log.warning("the podium cannot be announced in %s: %s", channel, exc.text)
            await self.desk.ask(take_mark, self.desk.queue, once)
        return told

    async def _refresh(self, problem: str) -> None:
        """Wait, so that several entries cost one edit; then bring every pinned board of the problem up to date."""
        try:
            await asyncio.sleep(self.bot.options.board_every_s)
        finally:
            del self._due[problem]
        for pin in await self.desk.ask(self.desk.state.pins, problem):
            try:
                await self._bring(pin)
            except UserError as exc:
                log.warning("the pinned board of %s cannot be made: %s", plain.cell(problem), exc.message)

    async def _bring(self, pin: Pin) -> None:
        found, _ = await self.desk.ask(find_board, self.desk, Which(problem=pin.problem, gpu=pin.gpu), None)
        message = self.bot.get_partial_messageable(pin.channel).get_partial_message(pin.message)
        try:
            await message.edit(embed=render.show(found, live=True))
        except discord.NotFound:
            await self.desk.ask(self.desk.state.drop_pin, pin.message)
        except discord.HTTPException as exc:
            log.warning("a pinned board cannot be edited: %s", exc.text)
