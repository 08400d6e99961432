"""What admins can do, and that nobody else can."""

from __future__ import annotations

import discord
import pytest

from kernelbot_core.engine.queue import audit_log, may_see, tickets

pytestmark = pytest.mark.asyncio

KERNEL = b"#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
COMMANDS = {
    "admin pause": {"device": "cpu"},
    "admin drain": {"device": "cpu"},
    "admin resume": {"device": "cpu"},
    "admin audit": {},
    "admin channel": {"what": "news"},
    "admin ban": {"member": None, "reason": "x"},
    "admin unban": {"member": None},
    "admin limit": {"per_hour": 1},
    "admin invalidate": {"problem": "vector_add", "entry": "ann", "reason": "x"},
    "admin reinstate": {"problem": "vector_add", "entry": "ann"},
    "admin rejudge": {"problem": "vector_add", "entry": "ann"},
    "admin deadline": {"problem": "vector_add"},
    "admin visibility": {"problem": "vector_add", "private": True},
    "admin invite": {"problem": "vector_add"},
    "admin release": {"problem": "vector_add", "rule": "never"},
}


def said(result):
    return result.response.content.replace("\\", "")


async def submit(member, channel):
    return await member.slash(channel, "leaderboard submit", file=("k.py", KERNEL))


@pytest.fixture
def manager(simcord_env, guild):
    """Discord shows the commands to this one, who has no role of the bot."""
    role = guild.create_role("Manager", permissions=discord.Permissions(manage_guild=True))
    return guild.add_member(simcord_env.create_user("mia"), roles=[role])


@pytest.mark.parametrize("command", COMMANDS)
async def test_every_command_checks_on_our_side(channel, manager, ada, command, desk):
    options = {key: ada if value is None else value for key, value in COMMANDS[command].items()}
    result = await manager.slash(channel, command, **options)
    assert "this is for an admin" in said(result)
    assert "it takes the role Kernelbot Admin" in said(result)
    assert audit_log(desk.queue) == []


async def test_the_list_of_commands_is_whole(simcord_bot, channel):
    group = simcord_bot.tree.get_command("admin")
    assert {f"admin {command.name}" for command in group.commands} == set(COMMANDS)


async def test_a_role_of_the_same_name_elsewhere_does_not_count(simcord_env, simcord_bot, guild):
    other = simcord_env.create_guild()
    role = other.create_role("Kernelbot Admin", permissions=discord.Permissions(manage_guild=True))
    eve = other.add_member(simcord_env.create_user("eve"), roles=[role])
    result = await eve.slash(other.create_text_channel("here"), "admin pause", device="cpu")
    assert "this is for an admin" in said(result)
    assert "roles of this server do not count" in said(result)


async def test_pause_and_resume(channel, boss, ada, desk, shown):
    assert "cpu is paused" in said(await boss.slash(channel, "admin pause", device="cpu", reason="new fan"))
    job = said(await submit(ada, channel)).split()[0].removeprefix("#")
    [message] = [m for m in channel.history() if m.embeds and f"#{job}" in m.embeds[0].title]
    assert "paused: new fan" in message.embeds[0].description.replace("\\", "").replace("\u200b", "")
    await boss.slash(channel, "admin resume", device="cpu")
    assert "RANK 1 / 1" in (await shown(job)).embeds[0].description


async def test_drain_refuses_with_the_reason(channel, boss, ada):
    await boss.slash(channel, "admin drain", device="cpu", reason="moving")
    assert "takes no new jobs now: moving" in said(await submit(ada, channel)).replace("\u200b", "")


async def test_an_unknown_device(channel, boss):
    assert "there is no device xpu:7" in said(await boss.slash(channel, "admin pause", device="xpu:7")).replace(
        "\u200b", ""
    )


async def test_ban_and_unban(channel, boss, ada, desk):
    await boss.slash(channel, "admin ban", member=ada, reason="mines coins", hours=2.0)
    assert "mines coins" in said(await submit(ada, channel))
    await boss.slash(channel, "admin unban", member=ada)
    assert "queued" in said(await submit(ada, channel))
    assert [act.act for act in audit_log(desk.queue)][-2:] == ["unban", "ban"]


async def test_limit_of_a_member(channel, boss, ada):
    await boss.slash(channel, "admin limit", per_hour=0, member=ada, problem="vector_add")
    assert "takes no jobs of yours" in said(await submit(ada, channel))


async def test_invalidate_reinstate_and_rejudge(channel, boss, ada, entry, desk):
    made = entry("ann")
    assert "off the board: copied" in said(
        await boss.slash(channel, "admin invalidate", problem="vector_add", entry="ann", reason="copied")
    )
    board = (await ada.slash(channel, "leaderboard show", problem="vector_add")).response.embeds[0]
    assert "ann" not in board.description
    await boss.slash(channel, "admin reinstate", problem="vector_add", entry=made.id)
    board = (await ada.slash(channel, "leaderboard show", problem="vector_add")).response.embeds[0]
    assert "ann" in board.description
    assert "runs again as #" in said(await boss.slash(channel, "admin rejudge", problem="vector_add", entry="ann"))
    assert [t.user for t in tickets(desk.queue, states=("queued", "running", "recording", "done"))] == ["ann"]


async def test_a_deadline_closes_ranked_only(channel, boss, ada):
    await boss.slash(channel, "admin deadline", problem="vector_add", when="2020-01-01")
    assert "closed at 2020-01-02" in said(await submit(ada, channel))
    result = await ada.slash(channel, "leaderboard submit", file=("k.py", KERNEL), mode="test")
    assert "queued" in said(result)
    assert "is no moment" in said(await boss.slash(channel, "admin deadline", problem="vector_add", when="soon"))


async def test_a_private_problem_is_not_there_for_others(channel, boss, ada, desk, simcord_env):
    await boss.slash(channel, "leaderboard pin", problem="vector_add")
    await boss.slash(channel, "admin visibility", problem="vector_add", private=True)
    assert not may_see(desk.queue, "vector_add", None)
    assert channel.pinned_messages() == []
    assert "there is no problem vector_add" in said(await submit(ada, channel))
    assert "there is no problem" in said(await ada.slash(channel, "leaderboard show", problem="vector_add"))
    assert "vector_add" not in (await ada.slash(channel, "leaderboard problems")).response.embeds[0].description
    offered = await ada.autocomplete(channel, "leaderboard show", "problem", "vector")
    assert offered == []
    code = said(await boss.slash(channel, "admin invite", problem="vector_add")).split("invite:")[1].split("`")[0]
    assert "You are in" in said(await ada.slash(channel, "leaderboard join", invite=code))
    assert "queued" in said(await submit(ada, channel))
    await simcord_env.settle()
    assert not [m for m in channel.history() if m.embeds and m.embeds[0].title.startswith("#")]
    assert [m for m in ada.user.dm_channel.history() if m.embeds]
    board = await ada.slash(channel, "leaderboard show", problem="vector_add")
    assert board.ephemeral
    again = await ada.slash(channel, "leaderboard join", invite="nonsense")
    assert "this invite is not valid" in said(again)


async def test_release_rules(channel, boss, ada, entry):
    entry("ann", at="2020-01-01T00:00:00+00:00")
    await boss.slash(channel, "admin release", problem="vector_add", rule="never")
    assert "keeps code private" in said(await ada.slash(channel, "code", problem="vector_add", entry="ann"))
    assert "is no rule" in said(await boss.slash(channel, "admin release", problem="vector_add", rule="maybe"))


async def test_every_act_is_in_the_log(channel, boss):
    await boss.slash(channel, "admin pause", device="cpu", reason="fan")
    page = (await boss.slash(channel, "admin audit")).response.embeds[0].description
    for word in ("pause", "cpu", "fan", f"discord:{boss.id}"[:20]):
        assert word in page
