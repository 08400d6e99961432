"""Arguments that are longer, larger or less of a text than what they are given to can take: one line, no traceback."""

from __future__ import annotations

import pytest

LONG = "x" * 300
DIGITS = "9" * 5000
BYTES = "\udcff"
"""How Python hands over a byte of the command line that is no UTF-8."""


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("show", LONG), "there is no report"),
        (("history", LONG), "there is no problem"),
        (("leaderboard", f"./{LONG}"), "is not a problem pack"),
        (("leaderboard", "./\0"), "is not a problem pack"),
        (("admin", "limit", DIGITS), "is no number of jobs"),
        (("admin", "limit", "9" * 19), "a limit is a number from 0 to 1000000"),
        (("admin", "audit", "--limit", DIGITS[:400]), "is not in the range"),
        (("admin", "ban", BYTES, "--reason", "x"), r"error: '\udcff' is not UTF-8 text"),
        (("queue", "position", BYTES), "is not UTF-8 text"),
        (("me", "--user", BYTES), "is no name for a board"),
    ],
)
def test_one_line_says_so(call, argv, says):
    code, out, err = call(*argv)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
