"""Which line of a compiler's text says why."""

from __future__ import annotations

import pytest

from kernelbot_core import Build

MISSING = "k.py: there is no function `solve`; write it"
UNDECLARED = "k.py:8:5: error: 'x' was not declared"
EXPECTED = 'k.cu(9): error: expected a ";"'
NO_FILE = "k.cu:2:10: fatal error: a.h: No such file"
UNDEFINED = "k.o: undefined reference to `f'"
TWICE = "a.s:126: Error: symbol `solve' is already defined"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{MISSING}\n    print('error: no')", MISSING),
        (f"k.py: In function 'f':\n{UNDECLARED}\n   8 | x", UNDECLARED),
        (f"k.cu(3): warning: unused\n  int error: 3;\n\n{EXPECTED}", EXPECTED),
        ("k.cu(3): warning: x\nk.cu(4): error 20011: y", "k.cu(4): error 20011: y"),
        (f"In file included from k.cu:1:\n{NO_FILE}", NO_FILE),
        (f"ld: k.o: in function `solve':\n{UNDEFINED}\ncollect2: error: ld returned 1", UNDEFINED),
        (f"[fp32] a.s: Assembler messages:\n{TWICE}", TWICE),
        ("\n \n  first\nsecond", "first"),
        ("", "the language gave no reason"),
    ],
)
def test_the_line_that_says_why(text, why):
    assert Build(ok=False, text=text).why == why


def test_a_line_without_end_takes_no_time():
    text = "x " + "error " * 20_000
    assert Build(ok=False, text=text).why == text.strip()
