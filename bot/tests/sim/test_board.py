"""Boards, people, problems, comparisons and news."""

from __future__ import annotations

import asyncio

import pytest

pytestmark = pytest.mark.asyncio

KERNEL = b"#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


async def submit(member, channel, number=0):
    source = KERNEL + f"x = {number}\n".encode()
    return await member.slash(channel, "leaderboard submit", file=("k.py", source))


def page(result):
    return result.response.embeds[0]


async def test_an_empty_board_invites(channel, ada):
    shown = page(await ada.slash(channel, "leaderboard show", problem="vector_add"))
    assert "nobody stands here yet" in shown.description


async def test_a_board_has_medals_ties_and_the_baseline(channel, ada, entry):
    entry("ann", 1.0e-4, 1)
    entry("bob", 1.001e-4, 2)
    entry("cid", 5e-3, 3)
    result = await ada.slash(channel, "leaderboard show", problem="vector_add", gpu="CPU")
    text = page(result).description
    assert not result.ephemeral
    assert "🥇 **ann** 200.0 us (shared)" in text
    assert "=1 bob" in text
    assert text.index("bob") < text.index("baseline") < text.rindex("cid")
    assert "as of 2026-01-02 03:04 UTC" in page(result).footer.text


async def test_pages_turn(channel, ada, entry):
    for number in range(13):
        entry(f"user{number:02}", 1e-3 * 1.1**number, number)
    result = await ada.slash(channel, "leaderboard show", problem="vector_add")
    assert "page 1 of 2" in page(result).footer.text
    await ada.click(result.response, label="▶")
    assert "user12" in page(result).description
    await ada.click(result.response, label="▶")
    assert "user00" in page(result).description


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"problem": "nonsense"}, "there is no problem nonsense"),
        ({"problem": "../secret"}, "there is no problem"),
        ({"problem": "vector_add", "gpu": "B300"}, "has no board on B300"),
        ({"problem": "vector_add", "size": "huge"}, "has no size huge"),
        ({"problem": "vector_add", "dtype": "fp4"}, "has no dtype fp4"),
        ({"problem": "vector_add", "lang": "cobol"}, "has no language cobol"),
    ],
)
async def test_a_board_that_there_is_not(channel, ada, asked, said):
    result = await ada.slash(channel, "leaderboard show", **asked)
    assert said in result.response.content.replace("\\", "")


async def test_sizes_and_dtypes_of_the_chosen_problem_are_offered(channel, ada):
    for option, expected in (("size", "medium"), ("dtype", "fp16")):
        offered = await ada.autocomplete(channel, "leaderboard show", option, "", problem="vector_add")
        assert expected in [choice["value"] for choice in offered]


async def test_history_is_a_picture(channel, ada, entry):
    entry("ann", 2e-3, 1, at="2026-01-02T00:00:00+00:00")
    entry("$\\bob_", 1e-3, 2, at="2026-01-05T00:00:00+00:00")
    result = await ada.slash(channel, "leaderboard history", problem="vector_add")
    [file] = result.response.attachments
    assert (await file.read()).startswith(b"\x89PNG")
    assert page(result).description.index("bob") < page(result).description.index("ann")


async def test_nobody_was_ever_first(channel, ada):
    result = await ada.slash(channel, "leaderboard history", problem="vector_add")
    assert "nobody has stood first" in result.response.content


async def test_me_and_ranking(channel, ada, entry, shown):
    entry("ann", 1e-4)
    result = await submit(ada, channel)
    await shown(result.response.content.split()[0].removeprefix("#"))
    mine = await ada.slash(channel, "leaderboard me")
    assert mine.ephemeral
    assert "rank 2" in page(mine).description
    everyone = page(await ada.slash(channel, "ranking")).description
    assert everyone.index("ann") < everyone.index("ada")


async def test_problems_and_a_statement_with_templates(channel, ada):
    listed = page(await ada.slash(channel, "leaderboard problems")).description
    assert "vector_add" in listed
    result = await ada.slash(channel, "leaderboard problem", problem="vector_add", lang="torch")
    assert "solve(a, b, out, n)" in page(result).description
    assert [file.filename for file in result.response.attachments] == ["vector_add_torch.py"]


async def test_code_stays_hidden_until_it_is_released(channel, ada, entry, desk):
    old = entry("ann", 1e-3, 1, at="2020-01-01T00:00:00+00:00")
    new = entry("bob", 1e-3, 2, at="2099-01-01T00:00:00+00:00")
    shown = await ada.slash(channel, "code", problem="vector_add", entry=old.id[:8])
    assert b"torch.add" in await shown.response.attachments[0].read()
    hidden = await ada.slash(channel, "code", problem="vector_add", entry="bob")
    assert "not public yet" in hidden.response.content
    pair = await ada.slash(channel, "leaderboard compare", problem="vector_add", first="ann", second=new.id[:8])
    assert "code not shown" in page(pair).description
    other = entry("cid", 2e-3, 3, at="2020-01-02T00:00:00+00:00")
    pair = await ada.slash(channel, "leaderboard compare", problem="vector_add", first="ann", second=other.id[:8])
    assert "+100 %" in page(pair).description
    assert "-    torch.add(a, b, out=out), 1" in page(pair).description


async def test_the_archive_holds_what_is_public(channel, ada, entry):
    import io
    import zipfile

    entry("ann", 2e-3, 1, at="2020-01-01T00:00:00+00:00")
    entry("bob", 1e-3, 2, at="2099-01-01T00:00:00+00:00")
    result = await ada.slash(channel, "leaderboard archive", problem="vector_add")
    assert result.response.content == "2 first places, 1 with code"
    with zipfile.ZipFile(io.BytesIO(await result.response.attachments[0].read())) as found:
        assert sorted(found.namelist()) == ["001-ann-k.py", "README.md"]


async def test_a_pinned_board_follows_and_the_podium_is_announced(channel, guild, ada, boss, shown, simcord_env):
    news = guild.create_text_channel("news")
    await boss.slash(channel, "admin channel", what="news", where=news)
    await boss.slash(channel, "leaderboard pin", problem="vector_add", gpu="cpu")
    [board] = channel.pinned_messages()
    result = await submit(ada, channel)
    await shown(result.response.content.split()[0].removeprefix("#"))
    for _ in range(100):
        await simcord_env.settle()
        [board] = channel.pinned_messages()
        if "ada" in board.embeds[0].description and news.last_message:
            break
        await asyncio.sleep(0.02)
    assert "🥇 **ada**" in board.embeds[0].description
    assert "keeps itself up to date" in board.embeds[0].footer.text
    assert "takes place 1" in news.last_message.content


async def test_a_pin_is_for_admins(channel, ada):
    result = await ada.slash(channel, "leaderboard pin", problem="vector_add")
    assert "for an admin" in result.response.content
