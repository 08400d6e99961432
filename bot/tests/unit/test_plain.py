"""Nothing that somebody writes becomes a mention, markdown, a link or an endless message."""

from __future__ import annotations

import re

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_bot import plain

CHANNEL = "#"
HOSTILE = st.sampled_from(
    [
        "@everyone", "@here", "<@1>", "<@!1>", "<@&1>", f"<{CHANNEL}1>", "</submit:1>", "<:x:1>", "<a:x:1>", "<t:1:R>",
        "```", "``", "`", "**", "__", "~~", "||", "> ", ">>> ", "# ", "-# ", "- ", "1. ", "[a](https://b.c)",
        "https://b.c", "HTTP://b.c", "discord.gg/x", "www.b.c", "\n", "\r", "\u202e", "\u200b", "\x1b[31m", "\\", "\\`",
    ]
)  # fmt: skip
ANYTHING = st.lists(st.one_of(HOSTILE, st.text(max_size=20)), max_size=12).map("".join)
MENTION = re.compile(r"@(everyone|here)|<(@[!&]?|#|/|:|a:|t:)[\w-]")
LINK = re.compile(r"(?i)[a-z][a-z0-9+.-]*://|(discord|www)\.")
BARE = re.compile(r"(?<!\\)(?:\\\\)*[`*_~|>#\[\]()<]")


@given(ANYTHING, st.integers(4, 60))
def test_a_line_of_text_is_seen_as_it_was_written_and_does_nothing(value, longest):
    shown = plain.text(value, longest)
    assert not MENTION.search(shown)
    assert not LINK.search(shown)
    assert not BARE.search(shown)
    assert "\n" not in shown
    visible = re.sub(r"\\(.)", r"\1", shown.replace(plain.BREAK, ""))
    assert len(visible) <= longest


@given(ANYTHING, st.integers(40, 400))
def test_a_code_block_stays_closed(value, longest):
    shown = plain.block(value, longest, "text")
    assert len(shown) <= longest
    assert shown.startswith("```text\n")
    assert shown.endswith("\n```")
    assert "`" not in shown[3:-3]


@given(ANYTHING, st.integers(2, 40))
def test_a_cell_is_one_short_line_without_quotes(value, longest):
    shown = plain.cell(value, longest)
    assert len(shown) <= longest
    assert not set(shown) & set("`\n\r")


@given(ANYTHING)
def test_names_of_files_are_tame(value):
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,60}", plain.filename(value))


@pytest.mark.parametrize("value", ["@everyone", "<@123>", "<@&5>"])
def test_discord_sees_no_mention_either(value):
    shown = plain.text(value)
    assert discord.utils.escape_mentions(shown) == shown
    assert not re.findall(r"<@[!&]?\d+>|@everyone", shown)


def test_a_name_can_be_read():
    assert plain.text("ada_lovelace") == r"ada\_lovelace"
