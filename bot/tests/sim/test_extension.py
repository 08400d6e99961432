"""Commands that another distribution brings."""

from __future__ import annotations

import pytest

from kernelbot_core import hookimpl
from kernelbot_core.plugins import load_registry, use_registry

pytestmark = pytest.mark.asyncio


GOOD = """
from discord import app_commands


@app_commands.command(description="Say how many problems there are.")
async def count(interaction):
    await interaction.response.send_message(str(len(interaction.client.desk.problems())))


async def setup(bot):
    bot.tree.add_command(count)
"""
BAD = "async def setup(bot):\n    raise RuntimeError('no')\n"


@pytest.fixture
def registry(monkeypatch, tmp_path):
    """A plugin with a good extension and one whose set-up fails."""
    (tmp_path / "their_commands.py").write_text(GOOD)
    (tmp_path / "their_mistake.py").write_text(BAD)
    monkeypatch.syspath_prepend(tmp_path)

    class Plugin:
        @hookimpl
        def kernelbot_register_bot_extensions(self):
            return ["their_mistake", "their_commands"]

    with use_registry(load_registry([Plugin()])) as found:
        yield found


async def test_they_work_and_a_broken_one_costs_only_itself(channel, ada, caplog):
    result = await ada.slash(channel, "count")
    assert int(result.response.content) >= 3
    said = [record.getMessage() for record in caplog.get_records("setup")]
    assert "the extension their_mistake is left out" in said
    assert "vector" in str(await ada.autocomplete(channel, "leaderboard show", "problem", "vec"))
