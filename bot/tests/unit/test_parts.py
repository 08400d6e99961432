"""Small parts: the log, the hook, names, statements, sources."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from kernelbot_bot.app import extensions
from kernelbot_bot.exts.admin.boards import parse_moment, parse_release
from kernelbot_bot.exts.submit.sources import from_text
from kernelbot_bot.log import Lines
from kernelbot_bot.names import board_name
from kernelbot_bot.render.progress import queued
from kernelbot_bot.render.statement import chat
from kernelbot_bot.terms import Spot, Viewer, Wish
from kernelbot_core import hookimpl
from kernelbot_core.engine.queue import tickets
from kernelbot_core.errors import InfrastructureError, UsageError
from kernelbot_core.plugins import load_registry

KERNEL = "#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


def test_a_job_that_is_queued_is_no_error_when_its_place_cannot_be_told(desk, monkeypatch):
    def broken(*_):
        raise InfrastructureError("disk I/O error", "check the disk")

    monkeypatch.setattr("kernelbot_bot.desk.wait_of", broken)
    wish = Wish(source=KERNEL, filename="k.py", mode="test")
    ticket, wait = desk.submit(wish, viewer=Viewer(id=1), user="ada", guild=1, spot=Spot(channel=1, by=1))
    assert queued(ticket, wait) == f"#{ticket.id} queued."
    assert [found.id for found in tickets(desk.queue)] == [ticket.id]
    desk.close(0.0)


def line(message, *args, **extra):
    record = logging.LogRecord("a", logging.INFO, "f", 1, message, args, None)
    vars(record).update(extra)
    return Lines(("hunter2",)).format(record)


def test_a_log_line_is_json_with_fields_and_no_secret():
    found = json.loads(line("it is %s", "hunter2", guild=7))
    assert (found["message"], found["guild"]) == ("it is <token>", 7)
    shown = line("POST https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24/messages")
    assert "aW50" not in shown
    assert "webhooks/123" in shown


def test_a_log_line_steers_no_terminal():
    shown = line("it is %s", "\x1b[2J\x9b31m\x7f\u202e\N{SNOWMAN}\N{BUG}")
    assert shown.isascii()
    assert shown.isprintable()
    assert json.loads(shown)["message"] == "it is \x1b[2J\x9b31m\x7f\u202e\N{SNOWMAN}\N{BUG}"


def test_a_traceback_stays_in_its_line():
    try:
        raise ValueError("hunter2")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "f", 1, "x", (), sys.exc_info())
    text = Lines(("hunter2",)).format(record)
    assert "\n" not in text
    assert "ValueError: <token>" in json.loads(text)["traceback"]


def test_an_extension_that_cannot_be_named_costs_only_itself():
    class Mine:
        @hookimpl
        def kernelbot_register_bot_extensions(self):
            return ["mine.commands"]

    class Vague:
        @hookimpl
        def kernelbot_register_bot_extensions(self):
            return "mine.commands"

    class Broken:
        @hookimpl
        def kernelbot_register_bot_extensions(self):
            raise RuntimeError("no")

    found = extensions(load_registry([Broken(), Vague(), Mine()]))
    assert found[-1] == "mine.commands"
    assert found[:1] == ["kernelbot_bot.exts.submit"]
    assert "m" not in found


class User:
    def __init__(self, number, name):
        self.id, self.name = number, name


def test_a_board_name_is_claimed_once_and_never_passes_on(desk):
    assert board_name(desk, User(1, "ada")) == "ada"
    assert board_name(desk, User(1, "eve")) == "ada"
    assert board_name(desk, User(2, "Ada")) == "Ada-2"
    assert board_name(desk, User(3, "\u202e")) == "member-3"


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("look\n```py\na = 1\n```\n", "a = 1\n", "pasted.py"),
        ("```cuda\nint a;\n```", "int a;\n", "pasted.cu"),
        ("```\n#include <a>\n```", "#include <a>\n", "pasted.cu"),
        ("a = 1", "a = 1", "pasted.py"),
        ("```a = 1```", "a = 1", "pasted.py"),
    ],
)
def test_code_out_of_a_message(text, code, name):
    assert from_text(text) == (code, name)


def test_a_statement_flows_and_its_tables_line_up():
    shown = chat("# T\n\none\ntwo @everyone\n\n| a | b |\n|---|---|\n| `x` | y |\n\n    code\n\n```\nkeep\nthis\n```\n")
    assert "one two @\u200beveryone" in shown
    assert "```\na  b\nx  y\n```" in shown
    assert "```\ncode\n```" in shown
    assert "```\nkeep\nthis\n```" in shown


def test_moments_and_rules():
    assert parse_moment("2026-01-01 12:00") == 1767268800.0
    assert parse_moment("2026-01-01") == 1767312000.0
    assert [parse_release(word) for word in ("7", "First", "never")] == [7, "first", "never"]
    for bad in ("soon", "-1"):
        with pytest.raises(UsageError):
            parse_release(bad)
