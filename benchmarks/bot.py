"""How long members wait for the bot: ``python benchmarks/bot.py [--earlier N] [--jobs N] [--out F] [--transcript F]``.

The bot as a process of its own before the small Discord of its tests; the executor answers after 50 ms. Times from the
moment the interaction is sent: to the acknowledgement, to the job number with its place, to the card; seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "bot/tests/process"
sys.path.insert(0, str(TESTS))

from fake_discord.flow import KERNEL, carded, job_in, submitted  # noqa: E402 - its folder is named just above
from fake_discord.server import FakeDiscord  # noqa: E402


def module(name):
    """A file of the tests."""
    spec = importlib.util.spec_from_file_location(name, TESTS / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


async def measure(folder, earlier, jobs):
    """Times of each submission."""
    tests, flow = module("conftest"), module("test_flow")
    async with FakeDiscord() as discord:
        bot = tests.BotProcess(discord, folder, tests.settings_for(discord, folder))
        if earlier:
            flow.earlier(bot, earlier)
        await bot.start(SCRIPT_SECONDS="0.05")
        asked = []
        for number in range(jobs):
            source = KERNEL + f"x = {number}\n".encode()
            asked.append(await discord.slash(1 + number % 20, "leaderboard submit", {"file": ("k.py", source)}))
        answers = [await discord.answered(one, 300) for one in asked]
        assert all("queued" in answer for answer in answers), answers
        for answer in answers:
            await carded(discord, job_in(answer), 300)
        await bot.stop()
    return {
        "acknowledged": [one["acked"] - one["at"] for one in asked],
        "number": [one["said"] - one["at"] for one in asked],
    }


async def transcript(folder):
    """Every state of the message of one submission that is judged for real on the CPU."""
    tests = module("conftest")
    async with FakeDiscord() as discord:
        bot = tests.BotProcess(discord, folder, tests.settings_for(discord, folder))
        await bot.start(scripted=False, KERNELBOT_BOT_EDIT_EVERY_S="1.5")
        job, asked = await submitted(discord, problem="vector_add", gpu="cpu", lang="torch")
        message = await carded(discord, job, 300)
        await bot.stop()
    yield "user1: /leaderboard submit file:k.py problem:vector_add gpu:cpu lang:torch"
    yield f"{asked['said'] - asked['at']:.3f} s later, for user1 only: {asked['told'][-1]['content']}"
    for number, state in enumerate(discord.world.edits[message["id"]]):
        embed = state["embeds"][0]
        yield f"\n[{'posted' if number == 0 else f'edit {number}'}] {embed['title']}\n{embed['description']}"
        if "footer" in embed:
            yield f"({embed['footer']['text']})"


async def write_transcript(folder, target):
    """As text."""
    target.write_text("\n".join([line async for line in transcript(folder)]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--earlier", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--transcript", type=Path, help="instead: judge one kernel for real and write what is shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        if options.transcript:
            asyncio.run(write_transcript(Path(work), options.transcript))
            return
        times = asyncio.run(measure(Path(work), options.earlier, options.jobs))
    result = {"earlier": options.earlier, "jobs": options.jobs}
    for what, values in times.items():
        p99 = sorted(values)[min(len(values) - 1, int(0.99 * len(values)))]
        result[what] = {"median": statistics.median(values), "p99": p99, "max": max(values)}
        print(f"{what:14} median {statistics.median(values):.3f} s   p99 {p99:.3f} s   max {max(values):.3f} s")
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
