"""The bot in a simulated Discord, in this process; time is the simulation's."""

from __future__ import annotations

import asyncio

import pytest

from kernelbot_bot.app import KernelBot
from kernelbot_bot.errors import unwrap
from kernelbot_core.engine.queue import ticket
from kernelbot_core.errors import UserError


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
def guild(simcord_env):
    return simcord_env.create_guild()


@pytest.fixture
def channel(guild):
    return guild.create_text_channel("kernels")


@pytest.fixture
def ada(simcord_env, guild):
    return guild.add_member(simcord_env.create_user("ada"))


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


def job_of(result):
    """Id of the job that an answer names."""
    return result.response.content.split()[0].removeprefix("#")
