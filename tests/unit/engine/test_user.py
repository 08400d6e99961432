"""What a person may be called on the boards."""

from __future__ import annotations

import pytest

from kernelbot_core.engine.user import checked_user
from kernelbot_core.errors import UsageError


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", ("no name", "--user")),
        ("a\nb", ("no name",)),
        ("\x1b[31mred", ("no name",)),
        ("\u202eabc", ("no name",)),
        ("bob\u2060", ("no name", "invisible")),
        ("b\u00adob", ("no name",)),
        ("bob\u3164", ("no name",)),
        ("b\ufe0fob", ("no name",)),
        ("bob\u00a0b", ("no name",)),
        ("\U000e0041bob", ("no name",)),
        ("\uff42\uff41\uff53\uff45\uff4c\uff49\uff4e\uff45", ("not a person",)),
        ("x" * 65, ("no name", "64")),
        ("\ufdfa" * 4, ("no name", "64")),  # 18 letters each, written out
        (" Baseline", ("not a person", "--user")),
        ("baseIine", ("not a person",)),
        ("base1ine", ("not a person",)),
        ("b\u0251sel\u0131ne", ("not a person",)),
        ("(baseline)", ("not a person",)),
        ("baseline\u0323", ("not a person",)),
        ("o" + "\u0325" * 4, ("marks on one letter", "--user")),
    ],
)
def test_no_name(name, words):
    with pytest.raises(UsageError) as caught:
        checked_user(name)
    assert all(word in f"{caught.value.message} {caught.value.hint}" for word in words)


@pytest.mark.parametrize(
    ("name", "stranger"),
    [
        ("b\u043eb", "'\u043e' in it is CYRILLIC SMALL LETTER O"),
        ("\u0430da", "'\u0430' in it is CYRILLIC SMALL LETTER A"),
        ("b\u03bfb", "'\u03bf' in it is GREEK SMALL LETTER OMICRON"),
        ("\u13a1ob", "'\u13a1' in it is CHEROKEE LETTER E"),
        ("\u0431o\u0431", "'o' in it is LATIN SMALL LETTER O"),
        ("\u7530\u4e2d\u0430", "'\u0430' in it is CYRILLIC SMALL LETTER A"),
    ],
)
def test_a_letter_of_another_script_is_named(name, stranger):
    with pytest.raises(UsageError) as caught:
        checked_user(name)
    assert caught.value.message == f"{name!r} is no name for a board: {stranger}"
    assert caught.value.hint == "write the name in the letters of one script with --user"


@pytest.mark.parametrize(
    "name",
    [
        "Ren\u00e9 O'Brien-2", "\u041e\u043b\u044c\u0433\u0430 7", "\u0395\u03bb\u03ad\u03bd\u03b7",
        "\u7530\u4e2d\u3055\u3093 \u30bf\u30ed\u30fc", "\u4f50\u3005\u6728 Taro", "\uae40\ucca0\uc218",
        "\u05d3\u05d5\u05d3", "\u0645\u062d\u0645\u062f", "\u0905\u092e\u093f\u0924", "\u0e2a\u0e21\u0e0a\u0e32\u0e22",
        "[/x]:bug:", "4711",
    ],
)  # fmt: skip
def test_names_of_one_script_stay_as_they_are(name):
    assert checked_user(name) == name


@pytest.mark.parametrize(
    ("name", "board"),
    [("\uff42\uff4f\uff42", "bob"), ("\U0001d41b\U0001d428\U0001d41b", "bob"), ("e\u0301va", "\u00e9va"),
     (" bob  b ", "bob b")],
)  # fmt: skip
def test_each_letter_is_written_one_way(name, board):
    assert checked_user(name) == board
