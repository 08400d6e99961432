"""Start, refusals, lost connections, the end."""

from __future__ import annotations

import sqlite3

import pytest
from fake_discord.flow import KERNEL, carded, job_in, submitted
from fake_discord.world import TOKEN

pytestmark = pytest.mark.asyncio


async def test_a_wrong_token_is_one_line(bot):
    await bot.start(ready=False, KERNELBOT_BOT_TOKEN="something.that.is-wrong")
    assert await bot.ended() == 2
    assert "error: Discord does not know this token" in bot.log()
    assert "something.that.is-wrong" not in bot.log()
    assert "Traceback" not in bot.log()


async def test_settings_can_be_checked_without_a_start(bot, discord):
    await bot.start("--check", ready=False)
    assert await bot.ended() == 0
    assert bot.lines()[-1]["message"] == "settings, store and queue are sound; Discord was not asked"
    assert discord.world.requests == []


async def test_no_token_is_one_line(bot):
    await bot.start(ready=False, KERNELBOT_BOT_TOKEN="")
    assert await bot.ended() == 2
    assert bot.log().splitlines()[0] == "error: the bot cannot start: there is no token"


async def test_a_store_that_cannot_be_is_one_line(bot):
    await bot.start(ready=False, KERNELBOT_STORE="nonsense")
    assert await bot.ended() == 2
    assert bot.log().splitlines()[0] == "error: KERNELBOT_STORE: 'nonsense' is no URL of a store"
    assert "hint: write tinydb:///folder" in bot.log()


async def test_refused_intents_are_one_line(bot, discord):
    discord.gateway.refuse = 4014
    await bot.start(ready=False)
    assert await bot.ended() == 2
    assert "error: Discord refuses the intents" in bot.log()
    assert "Traceback" not in bot.log()


async def test_discord_that_is_not_there_is_one_line(bot):
    await bot.start(ready=False, KERNELBOT_BOT_API="http://127.0.0.1:9")
    assert await bot.ended() == 3
    assert "error: Discord cannot be reached" in bot.log()


async def test_the_token_goes_to_this_machine_or_to_discord_only(bot):
    await bot.start(ready=False, KERNELBOT_BOT_API="http://example.org")
    assert await bot.ended() == 2
    assert "KERNELBOT_BOT_API: must be on this machine" in bot.log()


async def test_sigterm_lets_the_running_job_end_and_keeps_the_others(bot, discord):
    await bot.start(SCRIPT_SECONDS="1.5")
    first, _ = await submitted(discord)
    second, _ = await submitted(discord, 2)
    await discord.world.until(lambda: bot.started() == [first] or None)
    assert await bot.stop() == 0
    assert discord.world.card(first)
    assert not discord.world.card(second)
    assert bot.lines()[-1]["message"] == "stopped"
    await bot.start()
    assert "RANK" in (await carded(discord, second))["embeds"][0]["description"]
    assert bot.started() == [first, second]
    pressed = await discord.click(1, discord.world.card(first), "Report")
    await discord.world.until(lambda: pressed["told"])
    assert pressed["told"][-1]["attachments"][0]["filename"] == f"report-{first}.json"


async def test_a_lost_connection_is_resumed_and_nothing_is_missed(bot, discord):
    await bot.start()
    for lose in (discord.gateway.reconnect, lambda: discord.gateway.close(4000)):
        seen = discord.gateway.resumed
        await lose()
        asked = await discord.slash(1, "leaderboard submit", {"file": ("k.py", KERNEL)})
        await discord.world.until(lambda seen=seen: discord.gateway.resumed > seen)
        await carded(discord, job_in(await discord.answered(asked)))
    assert discord.gateway.identified == 1


async def test_a_limit_and_errors_of_discord_cost_no_message(bot, discord):
    await bot.start(SCRIPT_SECONDS="0.3")
    world = discord.world
    limit = {"message": "You are being rate limited.", "retry_after": 0.3, "global": False}
    world.fault("POST", "/channels/", 429, body=limit, Via="1.1 fake")
    job, _ = await submitted(discord)
    await carded(discord, job)
    for status in (500, 502, 503):
        world.fault("PATCH", "/channels/", status)
        world.fault("POST", "/channels/", status)
        job, _ = await submitted(discord)
        await carded(discord, job)
    assert world.faults == []


@pytest.mark.parametrize("status", [500, 503])
async def test_a_message_that_discord_took_and_called_an_error_stands_once(bot, discord, status):
    await bot.start(SCRIPT_SECONDS="0.3")
    discord.world.fault("POST", "/channels/", status, taken=True)
    job, _ = await submitted(discord)
    await carded(discord, job)
    assert discord.world.faults == []
    assert len(discord.world.messages) == 1


async def test_a_message_whose_place_was_not_noted_before_a_kill_is_found_again(bot, discord):
    await bot.start(SCRIPT_SECONDS="1")
    job, _ = await submitted(discord)
    await discord.world.until(lambda: discord.world.messages and bot.started())
    await bot.kill()
    with sqlite3.connect(bot.folder / "store/queue.sqlite") as file:
        file.execute("UPDATE jobs SET note = json_set(note, '$.message', 0)")
    file.close()
    await bot.start()
    await carded(discord, job)
    assert len(discord.world.messages) == 1


async def test_a_message_that_somebody_deleted_comes_again_with_the_end(bot, discord):
    await bot.start(SCRIPT_SECONDS="1")
    job, _ = await submitted(discord)
    world = discord.world
    await world.until(lambda: world.messages)
    world.messages.clear()
    await carded(discord, job)


async def test_logs_are_json_and_hold_no_secret(bot, discord):
    await bot.start(KERNELBOT_BOT_LOG_LEVEL="DEBUG")
    await submitted(discord)
    await bot.stop()
    assert all(line.startswith("{") for line in bot.log().splitlines())
    assert TOKEN not in bot.log()
    assert "token-" not in bot.log()
    assert {"at", "level", "logger", "message"} <= set(bot.lines()[0])
