"""Draws what members of a server see, into docs/pictures: ``python tools/bot_pictures.py``.

The bot is the real one, in a simulated Discord; the executor is scripted, so every number is made up. Needs
``pip install 'simcord[screenshot]'`` and a ``chromium`` on the PATH.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import threading
from functools import partialmethod
from pathlib import Path
from typing import Any

import simcord
from msgspec.structs import replace
from playwright.async_api import BrowserType

from kernelbot_bot.app import KernelBot
from kernelbot_bot.desk import open_desk
from kernelbot_bot.settings import BotSettings
from kernelbot_core import hookimpl
from kernelbot_core.engine.queue import set_limit, ticket
from kernelbot_core.model.report import CaseError, Report
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import load_registry, use_registry
from kernelbot_core.scripted import ScriptedExecutor, failed_report, passed_report
from kernelbot_core.settings import load_settings

OUT = Path(__file__).resolve().parents[1] / "docs/pictures"
KERNEL = "#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
TIMES = {"ada": 3.1e-4, "grace": 3.108e-4, "linus": 4.7e-4, "edsger": 9.1e-4, "barbara": 1.2e-3, "john": 5e-3}
WRONG = CaseError(
    message="out[32] is 0, expected -0.71340221 (71300 x the allowed error)", index=[32], output="out",
    expected="-0.71340221", got="0", fraction=7.13e4, example="n = 33",
)  # fmt: skip
COMPILER = """broken.py:6: invalid syntax. Perhaps you forgot a comma?
    torch.add(a, b out=out)
                 ^^^^^
"""
BROKEN = CaseError(message=COMPILER.splitlines()[0], text=COMPILER)
gate = threading.Lock()


def judge(job: Job) -> Report:
    """Made-up verdicts; the gate stands for a busy machine."""
    with gate:
        if "wrong" in job.submission.filename:
            return failed_report(passed_report(job), "wrong", "property", error=WRONG)
        if "broken" in job.submission.filename:
            return failed_report(passed_report(job), "build_failed", "build", error=BROKEN)
        time = TIMES[job.submission.user]
        day = 1 + list(TIMES)[::-1].index(job.submission.user) * 4
        return replace(passed_report(job, time), started=f"2026-11-{day:02}T10:00:00+00:00")


class Scripted(ScriptedExecutor):
    """Says what this script says."""

    answer = staticmethod(judge)


class Plugin:
    """Brings it."""

    @hookimpl
    def kernelbot_register_executors(self) -> list[type[ScriptedExecutor]]:
        """The executor."""
        return [Scripted]

    @hookimpl(tryfirst=True)
    def kernelbot_select_executor(self) -> str:
        """Nobody else."""
        return "scripted"


async def draw(env: Any, bot: KernelBot) -> None:
    """One scene after the other."""
    guild = env.create_guild(name="kernels")
    channel = guild.create_text_channel("submissions")
    members = {name: guild.add_member(env.create_user(name)) for name in TIMES}

    async def submit(name: str, filename: str = "add.py", source: str = "") -> str:
        file = (filename, (source or f"{KERNEL}x = {len(name)}\n").encode())
        result = await members[name].slash(channel, "leaderboard submit", file=file, problem="vector_add", gpu="cpu")
        return str(result.response.content.split()[0].removeprefix("#"))

    async def refused(name: str) -> Any:
        file = ("add.py", KERNEL.encode())
        return (await members[name].slash(channel, "leaderboard submit", file=file)).response

    async def ended(job: str) -> Any:
        while not ticket(bot.desk.queue, job).told:
            await env.settle()
            await asyncio.sleep(0.02)
        return next(m for m in channel.history() if m.embeds and f"#{job}" in m.embeds[0].title)

    async def picture(name: str, message: Any, who: str = "ada") -> None:
        async with env.preview(channel, viewers=[members[who]], width=760) as preview:
            await preview.screenshot(OUT / f"{name}.png", target=message, allow_incomplete=True)

    for name in [*TIMES][:0:-1]:
        await ended(await submit(name))
    gate.acquire()
    waiting = [await submit("ada"), await submit("linus", source=f"{KERNEL}y = 1\n")]
    await env.settle()
    await picture("queued", next(m for m in channel.history() if f"#{waiting[1]}" in m.embeds[0].title))
    gate.release()
    await picture("card", await ended(waiting[0]))
    await ended(waiting[1])
    await picture("wrong", await ended(await submit("john", "wrong.py", f"{KERNEL}z = 1\n")), "john")
    await picture("build", await ended(await submit("john", "broken.py", f"{KERNEL}b = 1\n")), "john")
    set_limit(bot.desk.queue, 2, actor="discord:1")
    await picture("limit", await refused("john"), "john")
    for name, command, options in (
        ("board", "leaderboard show", {"problem": "vector_add"}),
        ("history", "leaderboard history", {"problem": "vector_add"}),
        ("ranking", "ranking", {}),
        ("problem", "leaderboard problem", {"problem": "softmax", "lang": "torch"}),
    ):
        await picture(name, (await members["ada"].slash(channel, command, **options)).response)


async def main(folder: Path) -> None:
    """Set up, draw, take down."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    BrowserType.launch = partialmethod(BrowserType.launch, executable_path=browser, args=FLAGS)  # type: ignore[method-assign]  # patched on purpose
    os.environ["KERNELBOT_STORE"] = f"tinydb://{folder}/store"
    options = BotSettings(state=folder / "bot.sqlite", packs=folder / "packs", edit_every_s=0.0)
    with use_registry(load_registry([Plugin()])) as registry:
        desk = open_desk(registry, load_settings(), state=options.state, packs=options.packs)
        bot = KernelBot(options, desk)
        async with simcord.run(bot, settle_timeout=30.0, check_errors=False) as env:
            await draw(env, bot)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        asyncio.run(main(Path(work)))
