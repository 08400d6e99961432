"""Brackets and colons in what others wrote stand in every table as they were written."""

from __future__ import annotations

import pytest

NAMES = ["x[red]y[/z]", "[/]", "[dim]ghost", "a:bug:"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_no_markup(call, kernel, name):
    assert call("queue", "add", "twice", kernel, "--device", "cpu", "--user", name)[0] == 0
    assert call("submit", "twice", kernel, "--user", name)[0] == 0
    for command in (
        ("queue", "list"), ("leaderboard", "twice"), ("history", "twice"), ("me", "--user", name),
    ):  # fmt: skip
        code, out, err = call(*command)
        assert (code, err) == (0, "")
        assert name in out


def test_what_an_admin_wrote_is_no_markup(call):
    assert call("admin", "ban", "[/x]", "--reason", "the [blue]one[/red]")[0] == 0
    for command in ("audit", "bans"):
        code, out, _ = call("admin", command)
        assert code == 0
        assert "[/x]" in out
        assert "the [blue]one[/red]" in out


def test_a_summary_keeps_its_indices(call, packs, world):
    path = packs / "twice" / "problem.toml"
    path.write_text(path.read_text().replace("out = 2 a", "out[i] = 2 a[i]"))
    assert "out[i] = 2 a[i]" in call("problems")[1]
