"""How long members wait for the bot: ``python benchmarks/bot.py [--earlier N] [--jobs N] [--kills N] [--out F]``.

The bot as a process of its own before the small Discord of its tests, with settings as members meet them. First
``--jobs`` submissions of 20 members at once (burst), then half as many one after another while those wait (queued).
Seconds from the moment the interaction is sent to the acknowledgement, and to the job number with its place.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "bot/tests/process"
sys.path.insert(0, str(TESTS))

from fake_discord.flow import KERNEL, carded, job_in, submitted  # noqa: E402 - its folder is named just above
from fake_discord.server import FakeDiscord  # noqa: E402 - its folder is named just above


def module(name):
    """A file of the tests."""
    spec = importlib.util.spec_from_file_location(name, TESTS / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


async def measure(folder, earlier, jobs, seconds):
    """Times of each submission, by phase and what is waited for."""
    tests, flow = module("conftest"), module("test_flow")
    async with FakeDiscord() as discord:
        settings = tests.settings_for(discord, folder) | {"KERNELBOT_BOT_EDIT_EVERY_S": "1.5"}
        bot = tests.BotProcess(discord, folder, settings)
        if earlier:
            flow.earlier(bot, earlier)
        await bot.start(SCRIPT_SECONDS=str(seconds))

        async def send(number):
            source = KERNEL + f"x = {number}\n".encode()
            return await discord.slash(1 + number % 20, "leaderboard submit", {"file": ("k.py", source)})

        burst = [await send(number) for number in range(jobs)]
        answers = [await discord.answered(one, 300) for one in burst]
        queued = []
        for number in range(jobs, jobs + jobs // 2):
            queued.append(await send(number))
            answers.append(await discord.answered(queued[-1], 300))
        assert all("queued" in answer for answer in answers), answers
        await bot.stop()
    return {
        f"{phase}, {what}": [one[key] - one["at"] for one in asked]
        for phase, asked in (("burst", burst), ("queued", queued))
        for what, key in (("acknowledged", "acked"), ("number", "said"))
    }


async def kills(folder, jobs, times):
    """What is left of ``jobs`` submissions when the bot is killed ``times`` times (SIGKILL) while it works on them."""
    tests, flow, when = module("conftest"), module("test_flow"), random.Random(1)
    async with FakeDiscord() as discord:
        bot = tests.BotProcess(discord, folder, tests.settings_for(discord, folder))
        await bot.start(SCRIPT_SECONDS="0.2")
        asked = [
            await discord.slash(1 + n % 20, "leaderboard submit", {"file": ("k.py", KERNEL + f"x = {n}\n".encode())})
            for n in range(jobs)
        ]
        ids = [job_in(await discord.answered(one, 300)) for one in asked]
        for _ in range(times):
            await asyncio.sleep(when.uniform(0.2, 1.5))  # any moment: between jobs, in a job, in a post, in a record
            await bot.kill()
            await bot.start(SCRIPT_SECONDS="0.2")
        for job in ids:
            await carded(discord, job, 300)
        await bot.stop()
        board, ends = flow.runs(bot), flow.ended(bot)
    return {
        "jobs": jobs, "kills": times, "passed": sum(end.status == "passed" for end in ends.values()),
        "lost": len(set(ids) - set(ends)), "twice on the board": len(board) - len(set(board)),
        "missing on the board": len(set(ids) - set(board)), "messages": len(discord.world.messages),
        "run again": sum(end.attempt - 1 for end in ends.values()),
    }  # fmt: skip


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
    parser.add_argument("--seconds", type=float, default=1.0, help="that a job takes")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--transcript", type=Path, help="instead: judge one kernel for real and write what is shown")
    parser.add_argument("--kills", type=int, help="instead: kill the bot so often and count what is left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        if options.transcript:
            asyncio.run(write_transcript(Path(work), options.transcript))
            return
        if options.kills:
            result = asyncio.run(kills(Path(work), options.jobs, options.kills))
            print("   ".join(f"{what} {count}" for what, count in result.items()))
            write(options.out, result)
            return
        times = asyncio.run(measure(Path(work), options.earlier, options.jobs, options.seconds))
    result = {"earlier": options.earlier, "jobs": options.jobs, "seconds": options.seconds}
    for what, values in times.items():
        p99 = sorted(values)[min(len(values) - 1, int(0.99 * len(values)))]
        result[what] = {"median": statistics.median(values), "p99": p99, "max": max(values)}
        print(f"{what:20} median {statistics.median(values):.3f} s   p99 {p99:.3f} s   max {max(values):.3f} s")
    write(options.out, result)


def write(target, result):
    """As JSON, where somebody wants it."""
    if target:
        target.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
