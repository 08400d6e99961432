"""A submission through everything there is, and through every kind of trouble."""

from __future__ import annotations

import collections
import json
from pathlib import Path

import pytest
from fake_discord.flow import KERNEL, carded, job_in, submitted
from fake_discord.world import CHANNEL, GUILD

from kernelbot_bot.state import State
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.queue import claim, deliver, enqueue, finish, open_queue, tickets
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import load_registry
from kernelbot_core.scripted import passed_report
from kernelbot_core.settings import Settings

pytestmark = pytest.mark.asyncio


def ended(bot):
    """Jobs that are done, by id."""
    queue = open_queue(load_registry(), bot.settings["KERNELBOT_STORE"])
    try:
        return {t.id: t for t in tickets(queue, states=("done", "failed", "cancelled"), limit=1000)}
    finally:
        queue.close()


def runs(bot):
    """Ids of all reports on the board of vector_add."""
    queue = open_queue(load_registry(), bot.settings["KERNELBOT_STORE"])
    try:
        return [run.report for entry in queue.store.entries("vector_add") for run in entry.runs]
    finally:
        queue.close()


@pytest.mark.slow
async def test_a_kernel_is_judged_for_real_and_ranked(bot, discord):
    await bot.start(scripted=False)
    job, _ = await submitted(discord, name="my kernel.py", gpu="cpu", lang="torch", mode="ranked")
    message = await carded(discord, job, 110)
    text = message["embeds"][0]["description"]
    for line in ("RANK 1 / 1", "✅ compile", "✅ correctness (matched the reference", "✅ benchmark", "medium"):
        assert line in text
    states = [edit["embeds"][0]["description"] for edit in discord.world.edits[message["id"]]]
    assert any(word in states[0] for word in ("queued", "started")), "an idle device takes it before it is posted"
    assert any("⏱️ correctness" in state for state in states)
    pressed = await discord.click(1, message, "Report")
    await discord.world.until(lambda: pressed["told"])
    [file] = pressed["told"][-1]["attachments"]
    assert json.loads(discord.world.files[file["id"]])["status"] == "passed"
    board = await discord.slash(2, "leaderboard show", problem="vector_add")
    await discord.world.until(lambda: board["told"])
    assert "user1" in board["told"][-1]["embeds"][0]["description"]
    assert discord.world.unknown == []


@pytest.mark.slow
async def test_killed_while_it_judges_for_real_it_judges_again_in_the_same_message(bot, discord):
    await bot.start(scripted=False)
    job, _ = await submitted(discord, mode="test")
    await discord.world.until(lambda: any("⏱️" in embed["description"] for embed in discord.world.embeds()))
    await bot.kill()
    await bot.start(scripted=False)
    assert "**PASSED**" in (await carded(discord, job, 110))["embeds"][0]["description"]
    assert ended(bot)[job].attempt == 2
    assert len(discord.world.messages) == 1


async def test_killed_in_the_middle_of_the_queue_nothing_is_lost_and_nothing_runs_twice_to_the_board(bot, discord):
    await bot.start(SCRIPT_SECONDS="0.5")
    jobs = [(await submitted(discord, who, KERNEL + f"x = {who}\n".encode()))[0] for who in range(1, 7)]
    await discord.world.until(lambda: discord.world.card(jobs[0]))
    await bot.kill()
    await bot.start(SCRIPT_SECONDS="0.5")
    for job in jobs:
        assert "RANK" in (await carded(discord, job))["embeds"][0]["description"]
    assert sorted(runs(bot)) == sorted(jobs)
    assert collections.Counter(t.status for t in ended(bot).values()) == {"passed": 6}
    titles = [embed["title"] for embed in discord.world.embeds()]
    assert len(titles) == len(set(titles)) == 6


async def test_a_job_that_ended_while_the_bot_was_away_is_shown_after_the_start(bot, discord):
    await bot.start(SCRIPT_SECONDS="0.3")
    job, _ = await submitted(discord)
    await discord.world.until(lambda: bot.started() == [job] or None)
    await bot.kill()
    await bot.start()
    assert "RANK" in (await carded(discord, job))["embeds"][0]["description"]


async def test_a_hundred_submissions_of_twenty_people(bot, discord):
    """After 10,000 earlier ones. The small Discord forgets what is not acknowledged in 3 s, as Discord does."""
    earlier(bot, 10_000)
    await bot.start()
    asked = []
    for number in range(100):
        source = KERNEL + f"x = {number}\n".encode()
        asked.append(await discord.slash(1 + number % 20, "leaderboard submit", {"file": ("k.py", source)}))
    answers = [await discord.answered(one, 100) for one in asked]
    assert all("queued" in answer for answer in answers), bot.log()[-3000:]
    jobs = [job_in(answer) for answer in answers]
    assert len(set(jobs)) == 100
    for job in jobs:
        await carded(discord, job, 100)
    assert sorted(runs(bot)) == sorted(jobs)
    assert len(bot.started()) == 100


def earlier(bot, count):
    """Jobs that have ended, in the queue of this bot."""
    registry = load_registry()
    queue = open_queue(registry, bot.settings["KERNELBOT_STORE"])
    problem = resolve("vector_add", registry.pack_sources)
    job = accept(registry, problem, KERNEL.decode(), "k.py", settings=Settings(), device="cpu", mode="test", user="old")
    enqueue(queue, job, account="discord:1", guild="1")
    with queue.database.write() as connection:
        connection.execute(
            "UPDATE jobs SET state = 'done', status = 'passed', told = 1, "
            "started = created, finished = created + 1, created = 1"
        )
        columns = [
            row["name"] for row in connection.execute("PRAGMA table_info(jobs)") if row["name"] not in ("id", "seq")
        ]
        names = ", ".join(columns)
        connection.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
            f"INSERT INTO jobs (id, {names}) SELECT 'old' || i, {names} FROM jobs, n"
        )
    queue.close()


def recorded(bot):
    """A job that a process judged and brought to the store, and died."""
    registry = load_registry()
    queue = open_queue(registry, bot.settings["KERNELBOT_STORE"])
    problem = resolve("vector_add", registry.pack_sources)
    job = accept(
        registry, problem, KERNEL.decode(), "k.py", settings=Settings(), device="cpu", mode="ranked", user="ada"
    )
    enqueue(queue, job, account="discord:1", guild="1")
    lease = claim(queue, "cpu", "gone:1:0")
    finish(queue, lease, passed_report(job))
    deliver(queue, job.id)
    queue.close()


async def test_a_podium_that_a_dead_process_recorded_is_announced_once(bot, discord):
    state = State(Path(bot.settings["KERNELBOT_BOT_STATE"]))
    state.set(int(GUILD), "news", CHANNEL)
    state.close()
    recorded(bot)

    def told():
        return [m for m in discord.world.messages.values() if "**ada** takes place 1" in m["content"]]

    discord.world.fault("POST", "/channels/", 503, taken=True)
    await bot.start()
    await discord.world.until(lambda: discord.world.faults == [] and told())
    await bot.stop()
    await bot.start()
    await carded(discord, (await submitted(discord, 2, KERNEL + b"x = 2\n"))[0])
    assert len(told()) == 1


async def test_a_large_attachment_is_refused_before_it_is_fetched(bot, discord):
    await bot.start()
    asked = await discord.slash(1, "leaderboard submit", {"file": ("big.py", b"x" * (12 << 20))})
    assert "more than the limit" in await discord.answered(asked)
    assert not [path for _, path in discord.world.requests if path.startswith("/cdn/")]


async def test_a_binary_attachment_is_refused_in_a_line(bot, discord):
    await bot.start()
    for data in (bytes(range(256)) * 40, b"\x7fELF\0\0", b"\xff\xfea\0b\0"):
        asked = await discord.slash(1, "leaderboard submit", {"file": ("k.py", data)}, problem="vector_add")
        answer = await discord.answered(asked)
        assert "UTF" in answer or "NUL" in answer, data
        assert discord.world.messages == {}


async def test_hostile_names_of_files_and_members_stay_names(bot, discord):
    await bot.start()
    names = ["../../etc/passwd.py", "@everyone.py", "<@1>`$(id)`.py", "\u202egnp.py", "a" * 200 + ".py", ".py"]
    for who, name in enumerate(names, start=1):
        asked = await discord.slash(who, "leaderboard submit", {"file": (name, KERNEL)}, name=f"<@{who}>@everyone")
        answer = await discord.answered(asked)
        if "queued" in answer:
            await carded(discord, job_in(answer))
    for message in discord.world.messages.values():
        assert message["allowed_mentions"] == {"parse": []}
        assert "@everyone" not in json.dumps(message["embeds"])
    assert not list(bot.folder.rglob("*passwd*"))


async def test_an_expired_interaction_costs_nothing(bot, discord):
    await bot.start()
    discord.world.fault("POST", "/callback", 404, body={"message": "Unknown interaction", "code": 10062})
    await discord.slash(1, "leaderboard submit", {"file": ("k.py", KERNEL)})
    await discord.world.until(lambda: not discord.world.faults)
    job, asked = await submitted(discord)
    asked["dead"] = True
    await carded(discord, job)
    assert bot.started() == [job]
    assert [line["message"] for line in bot.lines() if line["level"] == "WARNING"] == ["an interaction had expired"]


async def test_the_card_comes_when_the_token_of_the_interaction_is_dead(bot, discord):
    await bot.start(SCRIPT_SECONDS="0.5")
    asked = await discord.slash(1, "leaderboard submit", {"file": ("k.py", KERNEL)})
    asked["dead"] = True
    message = await discord.world.until(lambda: next(iter(discord.world.messages.values()), None))
    job = message["embeds"][0]["title"].split()[0].removeprefix("#")
    assert (await carded(discord, job))["channel_id"] == CHANNEL
