"""Proposals, digest."""

from __future__ import annotations

import asyncio
import datetime
import io
import stat
import zipfile

import pytest
import pytest_asyncio

from kernelbot_bot.exts.community.digest import due
from kernelbot_core.scripted import failed_report, passed_report

pytestmark = pytest.mark.asyncio

TOML = """
format = 1
title = "Twice"
summary = "out = 2 a"
area = "elementwise"
difficulty = "intro"
inputs = { seed = 7 }
tolerance = { rule = "elementwise" }
work = { bytes = "2 * n * sizeof(T)", flops = "n" }
[signature]
dims = ["n"]
inputs = [{ name = "a", dtype = "T", shape = ["n"] }]
outputs = [{ name = "out", dtype = "T", shape = ["n"] }]
scalars = [{ name = "n", dtype = "int64", value = "n" }]
[grid]
dtypes = ["fp32"]
[grid.sizes]
small = { n = 1024 }
"""
CODE = """
import torch


def inputs(cell, gen):
    return (torch.empty(cell.dims["n"], device=cell.device).normal_(0, 2, generator=gen).to(cell.dtypes["T"]),)


def reference(a):
    return 2 * a


def baseline(a, out, n):
    torch.mul(a, 2, out=out)
"""
README = "# Twice\n\nEvery element of a vector, times two: `solve(a, out, n)`. " + "The output has the shape of a. " * 8
RIGHT = "import torch\n\n\ndef solve(a, out, n):\n    torch.mul(a, 2, out=out)\n"
WRONG = "import torch\n\n\ndef solve(a, out, n):\n    torch.mul(a, 3, out=out)\n"


def pack(**changes):
    files = {
        "twice/problem.toml": TOML, "twice/problem.py": CODE, "twice/README.md": README,
        "twice/samples/right/r.py": RIGHT, "twice/samples/wrong/w.py": WRONG, "twice/samples/cheat/c.py": WRONG,
    }  # fmt: skip
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        for name, text in (files | changes).items():
            target.writestr(name, text)
    return data.getvalue()


def linked():
    """A zip with a symbolic link."""
    data = io.BytesIO(pack())
    with zipfile.ZipFile(data, "a") as target:
        link = zipfile.ZipInfo("twice/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        target.writestr(link, "/etc/passwd")
    return data.getvalue()


LINKED = linked()


def said(result):
    return result.response.content.replace("\\", "").replace("\u200b", "")


@pytest.fixture
def reviews(guild):
    return guild.create_text_channel("reviews")


@pytest.fixture
def maintainer(simcord_env, guild):
    role = guild.create_role("Kernelbot Maintainer")
    return guild.add_member(simcord_env.create_user("mia"), roles=[role])


@pytest_asyncio.fixture
async def proposed(channel, boss, ada, reviews, simcord_env, script):
    """``await proposed(zip)``: the message with the sheet."""
    script.answer = lambda job: (
        passed_report(job) if "a, 2," in job.submission.source else failed_report(passed_report(job), "wrong")
    )
    await boss.slash(channel, "admin channel", what="review", where=reviews)

    async def propose(data):
        result = await ada.slash(channel, "problem propose", file=("twice.zip", data))
        assert "is being checked" in said(result)
        for _ in range(3000):
            await simcord_env.settle()
            if reviews.last_message:
                return reviews.last_message
            await asyncio.sleep(0.02)
        raise AssertionError("no sheet came")

    return propose


@pytest.mark.simcord(settle_timeout=60.0)
async def test_a_sound_pack_is_approved_and_can_be_solved(channel, ada, maintainer, proposed, desk, shown, reviews):
    sheet = await proposed(pack())
    assert "holds against itself" in sheet.embeds[0].description
    text = (await sheet.attachments[0].read()).decode()
    assert "✓ right/r.py: passed" in text
    refused = await ada.click(sheet, label="Approve")
    assert "this is for a maintainer" in said(refused)
    assert "twice" not in desk.problem_names()
    await maintainer.click(sheet, label="Approve")
    assert "twice" in desk.problem_names()
    assert "approved" in reviews.last_message.content
    result = await ada.slash(channel, "leaderboard submit", file=("r.py", RIGHT.encode()), problem="twice")
    message = await shown(said(result).split()[0].removeprefix("#"))
    assert "RANK 1 / 1" in message.embeds[0].description


@pytest.mark.simcord(settle_timeout=60.0)
async def test_a_pack_that_lies_is_shown_so_and_rejected_with_a_reason(maintainer, proposed, desk, ada):
    sheet = await proposed(pack(**{"twice/samples/wrong/w.py": RIGHT}))
    assert "found something" in sheet.embeds[0].description
    assert "✗ wrong/w.py" in (await sheet.attachments[0].read()).decode()
    window = await maintainer.click(sheet, label="Reject")
    field = window.modal["components"][0]["component"]["custom_id"]
    await maintainer.submit_modal(window, {field: "the wrong sample is right"})
    assert desk.state.proposal(1).state == "rejected"
    assert desk.state.proposal(1).reason == "the wrong sample is right"
    assert "twice" not in desk.problem_names()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no zip", "cannot be read"),
        (LINKED, "the zip holds twice/link"),
        (pack(**{"../evil.py": "x"}), "the zip holds"),
        (pack(**{"/etc/evil": "x"}), "the zip holds"),
        (pack(**{"other/problem.toml": "x"}), "one problem.toml"),
        (pack(**{f"twice/f{n}": "x" for n in range(500)}), "more than 400 files"),
    ],
)
async def test_a_zip_that_is_no_pack_is_refused(channel, ada, data, words):
    result = await ada.slash(channel, "problem propose", file=("twice.zip", data))
    assert words in said(result)


async def test_addresses_are_for_maintainers_and_https_only(channel, ada, maintainer):
    result = await ada.slash(channel, "problem propose", url="https://example.org/x")
    assert "this is for a maintainer" in said(result)
    for url in ("http://example.org/x", "file:///etc", "ext::sh -c id", "https://user:secret@example.org/x"):
        result = await maintainer.slash(channel, "problem propose", url=url)
        assert "only https addresses" in said(result)
    assert "either a file or an address" in said(await ada.slash(channel, "problem propose"))


async def test_a_name_that_is_taken_is_refused(channel, ada):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        target.writestr("vector_add/problem.toml", TOML)
    result = await ada.slash(channel, "problem propose", file=("v.zip", data.getvalue()))
    assert "there is a problem vector_add already" in said(result)


async def test_the_digest_is_posted_once(channel, boss, guild, entry, simcord_bot, simcord_env):
    entry("ann", 2e-3, 1, at="2026-01-06T00:00:00+00:00")
    entry("bob", 1e-3, 2, at="2026-01-07T00:00:00+00:00")
    where = guild.create_text_channel("week")
    await boss.slash(channel, "admin channel", what="digest", where=where)
    digests = simcord_bot.get_cog("Digests")
    for _ in range(2):
        await digests.post("2026-W02")
    [message] = where.history()
    text = message.embeds[0].description
    assert "**bob**" in text
    assert "first of all" in text
    assert "vector\\_add" in text


async def test_a_digest_that_cannot_be_posted_is_tried_again(channel, boss, guild, entry, simcord_bot, simcord_env):
    entry("ann", 2e-3, 1, at="2026-01-06T00:00:00+00:00")
    where = guild.create_text_channel("week")
    await boss.slash(channel, "admin channel", what="digest", where=where)
    simcord_env.inject_error("POST", f"/channels/{where.id}/messages", status=403)
    digests = simcord_bot.get_cog("Digests")
    await digests.post("2026-W02")
    assert where.history() == []
    await digests.post("2026-W02")
    assert len(where.history()) == 1


def at(day, hour):
    return datetime.datetime(2026, 1, day, hour, tzinfo=datetime.UTC).timestamp()


async def test_a_digest_is_due_from_its_hour_to_the_end_of_the_week():
    assert not due(at(5, 8), 0, 9)
    assert due(at(5, 9), 0, 9)
    assert due(at(11, 23), 0, 9)
    assert not due(at(12, 0), 0, 9)
