"""``/leaderboard submit`` and its kin, as a member meets them."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from kernelbot_core.engine.queue import ticket, tickets
from kernelbot_core.model.report import CaseError
from kernelbot_core.scripted import failed_report, passed_report

pytestmark = pytest.mark.asyncio

KERNEL = b"#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
BARE = KERNEL.split(b"\n", 1)[1]


def job_of(result):
    return result.response.content.split()[0].removeprefix("#")


async def submit(member, channel, source=KERNEL, name="k.py", **options):
    return await member.slash(channel, "leaderboard submit", file=(name, source), **options)


async def test_from_file_to_rank(channel, ada, shown):
    result = await submit(ada, channel, problem="vector_add", gpu="cpu", lang="torch")
    assert result.ephemeral
    assert "queued" in result.response.content
    text = (await shown(job_of(result))).embeds[0].description
    for line in ("RANK 1 / 1", "compile (1.2 s)", "matched the reference", "50 runs", "gain", "by **ada**"):
        assert line in text


async def test_the_header_line_is_enough_and_so_is_that_of_another_judge(channel, ada, shown, script):
    for source in (KERNEL, b"#!POPCORN leaderboard vector_add\n#!POPCORN gpus cpu\n" + BARE):
        await shown(job_of(await submit(ada, channel, source)))
    assert [job.problem.name for job in script.jobs] == ["vector_add", "vector_add"]


async def test_the_second_sees_the_gap_and_the_message_is_one(channel, ada, guild, simcord_env, shown, script):
    await shown(job_of(await submit(ada, channel)))
    script.answer = lambda job: passed_report(job, 2e-3)
    bob = guild.add_member(simcord_env.create_user("bob"))
    job = job_of(await submit(bob, channel, KERNEL + b"# other\nx = 1\n"))
    text = (await shown(job)).embeds[0].description
    assert "RANK 2 / 2" in text
    assert "100 % behind ada" in text
    assert sum(f"#{job}" in message.embeds[0].title for message in channel.history() if message.embeds) == 1


async def test_wrong_code_is_shown_the_smallest_failing_input(channel, ada, shown, script):
    error = CaseError(message="1 of 3 differs", example="n = 3", expected="1.0", got="2.0", index=[2], output="out")
    script.answer = lambda job: failed_report(passed_report(job), "wrong", "property", error=error)
    text = (await shown(job_of(await submit(ada, channel)))).embeds[0].description
    assert "smallest failing input:** n = 3" in text
    assert "RANK" not in text


async def test_long_compiler_text_comes_as_a_file(channel, ada, shown, script):
    text = "\n".join(f"k.py:{n}: error" for n in range(400))
    script.answer = lambda job: failed_report(passed_report(job), "build_failed", "build", text=text)
    message = await shown(job_of(await submit(ada, channel)))
    assert [file.filename for file in message.attachments] == ["compiler.txt"]
    assert (await message.attachments[0].read()).decode() == text


@pytest.mark.parametrize("mode", ["test", "benchmark"])
async def test_other_modes_take_no_place(channel, ada, shown, desk, mode):
    text = (await shown(job_of(await submit(ada, channel, mode=mode)))).embeds[0].description
    assert "**PASSED**" in text
    assert "RANK" not in text
    assert list(desk.queue.store.entries("vector_add")) == []


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        (b"\xff\xfe\x00\x01", "k.py", "is not UTF\\-8"),
        (b"a\0b", "k.py", "NUL"),
        (b"  \n", "k.py", "is empty"),
        (b"x" * ((1 << 20) + 1), "k.py", "more than the limit"),
        (BARE, "k.py", "which problem is it for"),
        (b"#!kernelbot problem nonsense\n" + BARE, "k.py", "there is no problem nonsense"),
        (b"#!kernelbot problem /etc\n" + BARE, "k.py", "there is no problem"),
        (KERNEL.split(b"import")[0] + b"x", "k.unknown", "cannot tell the language"),
    ],
)
async def test_what_cannot_be_judged_is_refused_in_a_line(channel, ada, desk, source, name, said):
    result = await submit(ada, channel, source, name)
    assert result.ephemeral
    assert said in result.response.content
    assert tickets(desk.queue, states=("queued", "done")) == []


async def test_an_unknown_gpu_is_refused_and_those_there_are_are_named(channel, ada):
    result = await submit(ada, channel, gpu="B300")
    assert "there is no B300 here" in result.response.content
    assert "cpu" in result.response.content


async def test_who_comes_from_another_judge_gets_the_template(channel, ada):
    result = await submit(ada, channel, b"def custom_kernel(data):\n    return data\n", problem="vector_add")
    assert "here the entry is solve" in result.response.content
    [file] = result.response.attachments
    assert file.filename == "template.py"
    assert b"def solve(a, b, out, n)" in await file.read()


async def test_the_limit_says_when_the_next_slot_opens(channel, ada, desk):
    from kernelbot_core.engine.queue import set_limit

    set_limit(desk.queue, 1, actor="test")
    await submit(ada, channel)
    result = await submit(ada, channel)
    assert "the limit of 1 an hour" in result.response.content
    assert "the next slot opens at" in result.response.content


async def test_autocomplete_offers_what_there_is(channel, ada):
    command = "leaderboard submit"
    file = ("k.py", KERNEL)
    names = [c["value"] for c in await ada.autocomplete(channel, command, "problem", "add", file=file)]
    assert names == ["vector_add"]
    assert [c["value"] for c in await ada.autocomplete(channel, command, "gpu", "", file=file)] == ["cpu"]
    assert "torch" in [c["value"] for c in await ada.autocomplete(channel, command, "lang", "tor", file=file)]


async def test_a_message_with_a_block_is_submitted_from_its_menu(channel, ada, shown):
    message = await ada.send(channel, f"look at this\n```python\n{KERNEL.decode()}```\nnice?")
    text = (await shown(job_of(await ada.context_menu(channel, "Submit this kernel", message)))).embeds[0]
    assert "RANK 1 / 1" in text.description
    assert "pasted.py" in text.footer.text


async def test_a_message_without_a_problem_asks_for_it(channel, ada, shown):
    message = await ada.send(channel, f"```\n{BARE.decode()}```")
    asked = await ada.context_menu(channel, "Submit this kernel", message)
    assert asked.response.content == "Which problem is it for?"
    await ada.select(asked.response, ["vector_add"])
    assert "RANK 1 / 1" in (await shown(job_of(asked))).embeds[0].description


async def test_a_message_without_code_is_refused(channel, ada):
    result = await ada.context_menu(channel, "Submit this kernel", await ada.send(channel, "hello"))
    assert "neither a file nor a code block" in result.response.content


async def test_a_pasted_block(channel, ada, shown):
    window = await ada.slash(channel, "leaderboard paste", problem="vector_add", lang="torch")
    field = window.modal["components"][0]["component"]["custom_id"]
    result = await ada.submit_modal(window, {field: f"```py\n{BARE.decode()}```"})
    assert "RANK 1 / 1" in (await shown(job_of(result))).embeds[0].description


async def test_a_waiting_job_can_be_cancelled_by_its_owner_only(channel, ada, guild, simcord_env, shown, script, desk):
    script.gate = gate = threading.Lock()
    gate.acquire()
    try:
        first, second = job_of(await submit(ada, channel)), job_of(await submit(ada, channel))
        await simcord_env.settle()
        message = next(m for m in channel.history() if f"#{second}" in m.embeds[0].title)
        assert "queued" in message.embeds[0].description
        bob = guild.add_member(simcord_env.create_user("bob"))
        refused = await bob.click(message, label="Cancel")
        assert "somebody else" in refused.response.content
        assert (await ada.click(message, label="Cancel")).response.content.endswith("is cancelled.")
        assert "CANCELLED" in (await shown(second)).embeds[0].description
    finally:
        gate.release()
    await shown(first)
    assert ticket(desk.queue, second).state == "cancelled"


async def test_report_and_run_again(channel, ada, shown):
    message = await shown(job_of(await submit(ada, channel)))
    report = (await ada.click(message, label="Report")).response.attachments[0]
    assert json.loads(await report.read())["status"] == "passed"
    again = await ada.click(message, label="Run again")
    job = again.response.content.split()[0].removeprefix("#")
    assert "median of 2 runs" in (await shown(job)).embeds[0].description


async def test_a_private_thread_is_made_on_demand(channel, ada, shown):
    message = await shown(job_of(await submit(ada, channel)))
    assert channel.threads == []
    await ada.click(message, label="Private thread")
    [thread] = channel.threads
    [posted] = [m for m in thread.history(viewer=ada) if m.embeds]
    assert any(file.filename.startswith("report-") for file in posted.attachments)


async def test_where_the_bot_may_not_speak_its_author_is_told_directly(channel, ada, desk, simcord_env):
    path = f"/channels/{channel.id}/messages"
    simcord_env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions", times=None)
    job = job_of(await submit(ada, channel))
    for _ in range(200):
        await simcord_env.settle()
        if ticket(desk.queue, job).told:
            break
        await asyncio.sleep(0.02)
    assert channel.history() == []
    [message] = [m for m in ada_dm(ada).history() if m.embeds]
    assert "RANK 1 / 1" in message.embeds[0].description


def ada_dm(member):
    """Their direct messages with the bot."""
    return member.user.dm_channel


async def test_names_of_files_and_members_ping_nobody(channel, guild, simcord_env, shown):
    eve = guild.add_member(simcord_env.create_user("@everyone"))
    message = await shown(job_of(await submit(eve, channel, name="<@1> @here ```.py")))
    assert message.mentions == []
    assert not message.mention_everyone
    assert "@here" not in message.embeds[0].description


async def test_the_queue_shows_own_jobs(channel, ada, shown):
    await shown(job_of(await submit(ada, channel)))
    page = (await ada.slash(channel, "leaderboard queue")).response.embeds[0]
    assert "cpu" in page.description
    assert "no job of yours waits" in page.description
