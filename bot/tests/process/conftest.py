"""The bot as a process of its own before the fake Discord."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path

import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from fake_discord.server import FakeDiscord
from fake_discord.world import GUILD, TOKEN

SCRIPTED = Path(__file__).with_name("scripted_bot.py")
collect_ignore = ["fake_discord", "scripted_bot.py"]


class BotProcess:
    """One run of the bot."""

    def __init__(self, discord, folder, settings):
        self.discord, self.folder, self.settings = discord, folder, settings
        self.process = None

    async def start(self, *arguments, scripted=True, ready=True, **settings):
        """Start it and, unless told otherwise, wait until it listens."""
        command = [sys.executable, str(SCRIPTED)] if scripted else [sys.executable, "-m", "kernelbot_core", "bot"]
        command += arguments
        seen = self.discord.gateway.identified
        with (self.folder / "log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command, cwd=self.folder, env=os.environ | self.settings | settings,
                stdout=asyncio.subprocess.DEVNULL, stderr=log,
            )  # fmt: skip
        if ready:
            waiting = asyncio.create_task(self.discord.ready(seen + 1))
            ended = asyncio.create_task(self.process.wait())
            await asyncio.wait({waiting, ended}, return_when=asyncio.FIRST_COMPLETED)
            assert waiting.done(), self.log()
            ended.cancel()
        return self

    async def ended(self, timeout=60):
        """Its exit code."""
        return await asyncio.wait_for(self.process.wait(), timeout)

    async def stop(self):
        """SIGTERM, and its exit code."""
        self.process.terminate()
        return await self.ended()

    async def kill(self):
        """Without a chance to say anything."""
        self.process.kill()
        await self.process.wait()

    def log(self):
        """Everything that it wrote."""
        return (self.folder / "log").read_text()

    def lines(self):
        """The structured ones."""
        return [json.loads(line) for line in self.log().splitlines() if line.startswith("{")]

    def started(self):
        """Ids of jobs in the order in which the scripted executor got them."""
        path = self.folder / "started"
        return path.read_text().split() if path.exists() else []


@pytest_asyncio.fixture
async def discord():
    async with FakeDiscord() as fake:
        yield fake


def settings_for(discord, folder):
    """Environment of a bot of its own."""
    return {
        "KERNELBOT_BOT_TOKEN": TOKEN, "KERNELBOT_BOT_API": discord.url,
        "KERNELBOT_BOT_STATE": str(folder / "bot.sqlite"),
        "KERNELBOT_BOT_PACKS": str(folder / "packs"), "KERNELBOT_BOT_EDIT_EVERY_S": "0.05",
        "KERNELBOT_BOT_ADMIN_GUILDS": f"[{GUILD}]", "KERNELBOT_STORE": f"tinydb://{folder}/store",
        "KERNELBOT_BOT_DRAIN_S": "20", "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "SCRIPT_SECONDS": "0", "SCRIPT_LOG": str(folder / "started"), "TMPDIR": str(folder),
    }  # fmt: skip


@pytest_asyncio.fixture
async def bot(discord, tmp_path):
    process = BotProcess(discord, tmp_path, settings_for(discord, tmp_path))
    yield process
    if process.process is not None and process.process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.process.kill()
        await process.process.wait()
