"""The bot in a simulated Discord, in this process; time is the simulation's."""

from __future__ import annotations

import asyncio

import discord
import pytest

from kernelbot_bot.app import KernelBot
from kernelbot_bot.errors import unwrap
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.queue import ticket
from kernelbot_core.engine.record import record
from kernelbot_core.errors import UserError
from kernelbot_core.scripted import passed_report

KERNEL = "#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


@pytest.fixture
def simcord_bot(desk, options):
    return KernelBot(options, desk)


@pytest.fixture(autouse=True)
def only_users_are_wrong(request):
    """What a command refuses is no error of the bot; anything else fails the test."""
    env = request.getfixturevalue("simcord_env") if "simcord_env" in request.fixturenames else None
    yield
    if env is not None:
        causes = [unwrap(error) for error in env.errors]
        assert [cause for cause in causes if not isinstance(cause, UserError)] == []


@pytest.fixture
def guild(simcord_env, simcord_bot):
    """A server whose roles count."""
    made = simcord_env.create_guild()
    simcord_bot.options = simcord_bot.options.model_copy(update={"admin_guilds": [made.id]})
    return made


@pytest.fixture
def channel(guild):
    return guild.create_text_channel("kernels")


@pytest.fixture
def ada(simcord_env, guild):
    return guild.add_member(simcord_env.create_user("ada"))


@pytest.fixture
def boss(simcord_env, guild):
    """An admin."""
    role = guild.create_role("Kernelbot Admin", permissions=discord.Permissions(manage_guild=True))
    return guild.add_member(simcord_env.create_user("boss"), roles=[role])


@pytest.fixture
def entry(registry, desk, settings):
    """``entry(user, time, number=0)``: a ranked entry that did not come through Discord."""

    def make(user, time=1e-3, number=0, at="2026-01-02T03:04:05+00:00", name="vector_add", **changes):
        problem = desk.problem(name, None)
        source = KERNEL.replace("out=out)", f"out=out), {number}")
        job = accept(registry, problem, source, "k.py", settings=settings, device="cpu", mode="ranked", user=user)
        return record(registry, desk.queue.store, problem, job, passed_report(job, time, started=at, **changes)).entry

    return make


@pytest.fixture
def shown(simcord_env, desk, channel):
    """``await shown(job_id)``: the job has ended and its message says so; returns the message."""

    async def wait(job_id):
        for _ in range(400):
            await simcord_env.settle()
            found = ticket(desk.queue, job_id)
            if found.told:
                return next(m for m in channel.history() if m.embeds and f"#{job_id}" in m.embeds[0].title)
            await asyncio.sleep(0.02)
        raise AssertionError(f"{found} was not shown; " + simcord_env.transcript()[-2000:])

    return wait
