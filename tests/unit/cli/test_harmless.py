"""Whatever others wrote, nothing that a terminal would obey is printed: neither in JSON nor in tables and lines."""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace

from kernelbot_core.model.report import Output

EVIL = "\x1b[2J\x9b31m\x7f\u202eevil\x85\u200f"
JSON = [
    ("leaderboard", "twice", "--json"), ("history", "twice", "--json"), ("me", "--json"), ("queue", "list", "--json"),
    ("admin", "bans", "--json"), ("admin", "audit", "--json"), ("problems", "--json"), ("plugins", "--json"),
    ("doctor", "--json"),
]  # fmt: skip
PLAIN = [("problems",), ("admin", "audit"), ("admin", "bans"), ("leaderboard", "twice"), ("history", "twice")]


@pytest.fixture
def judged(call, kernel, world, make_report, packs):
    """A world full of such text: a report, a pack, a ban."""
    path = packs / "twice" / "problem.toml"
    path.write_text(path.read_text().replace("out = 2 a", json.dumps(f"out = 2 a {EVIL}").strip('"')
                                             .replace("\x7f", r"\u007f")))  # fmt: skip
    (packs / "torn").mkdir()
    (packs / "torn" / "problem.toml").write_text(r'"\u001b[2J\u009b\u007f" = 1')
    (packs / "torn" / "problem.py").write_text("")
    world.answer = lambda job: replace(make_report(job), user=f"{EVIL}é", filename=EVIL, output=Output(text=EVIL))
    assert call("submit", "twice", kernel)[0] == 0
    assert call("admin", "ban", f"{EVIL}x", "--reason", EVIL)[0] == 0
    return world.jobs[0].id


@pytest.mark.parametrize("argv", JSON, ids=" ".join)
def test_json_is_printable_ascii(call, judged, argv):
    out = call(*argv)[1]
    assert re.fullmatch(r"[\n -~]+", out)
    assert json.loads(out)


def test_so_is_a_report_and_says_the_same(call, judged, kernel, tmp_path):
    shown = call("show", judged, "--json")[1]
    ran = call("run", "twice", kernel, "--json", "-")[1]
    assert call("run", "twice", kernel, "--json", tmp_path / "out.json")[0] == 0
    for text in (shown, ran, (tmp_path / "out.json").read_text()):
        assert re.fullmatch(r"[\n -~]+", text)
        assert json.loads(text)["user"] == f"{EVIL}é"
        assert json.loads(text)["output"]["text"] == EVIL


@pytest.mark.parametrize("argv", PLAIN, ids=" ".join)
def test_tables_and_lines_keep_the_letters_only(call, judged, argv):
    _, out, err = call(*argv)
    assert "evil" in out + err
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e]", out + err)


def test_what_click_quotes_is_plain_too(call):
    code, _, err = call("run", f"--{EVIL}")
    assert code == 2
    assert "evil" in err
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", err)
