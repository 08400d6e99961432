"""Numbers and untrusted text."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core.text import digits, number, one_line, percent, rate, safe, seconds, times


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"), (5e-9, "5.000 ns"), (4.67e-5, "46.70 us"), (999.96e-6, "1.000 ms"), (1.38e-3, "1.380 ms"),
        (0.25, "250.0 ms"), (2.5, "2.500 s"), (1234.5, "1234 s"), (9.9996e-6, "10.00 us"),
    ],
)  # fmt: skip
def test_seconds(value, text):
    assert seconds(value) == text


@given(st.floats(1e-8, 1e3))
def test_seconds_keep_four_digits_and_the_value(value):
    shown, unit = seconds(value).split()
    assert float(shown) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[unit] == pytest.approx(value, rel=1e-3)
    assert len(shown.replace(".", "")) == 4
    assert float(shown) < 1000 or unit == "s"


def test_rates():
    assert rate(2.5e12, 1e12) == "2500 GB/s"
    assert rate(1e9, 5e13) == "50.00 TFLOP/s"
    assert rate(1e8, 2e10) == "20.00 GFLOP/s"
    assert (percent(None), percent(0.631)) == ("-", "63.1 %")
    assert (times(None), times(1.0812)) == ("-", "1.08x")


@pytest.mark.parametrize(
    ("fraction", "count", "text"),
    [
        (0.0, 3, "0 %"), (0.01234, 2, "1.2 %"), (1.0, 2, "100 %"), (12.341, 2, "1200 %"), (9.996, 3, "1000 %"),
        (-2.5, 3, "-250 %"), (3e-8, 3, "under 0.001 %"),
    ],
)  # fmt: skip
def test_a_share_is_never_told_with_an_exponent(fraction, count, text):
    assert percent(fraction, count) == text


def test_factors_keep_their_exponent_only_where_zeros_would_have_to_be_counted():
    assert (times(1234.0), digits(0.02141), digits(3e30), digits(float("inf"))) == ("1230x", "0.0214", "3e+30", "inf")


def test_counts_take_the_form_of_their_number():
    assert (number(1, "entry", "entries"), number(2, "entry", "entries"), number(0, "case")) == (
        "1 entry", "2 entries", "0 cases",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jx", "x"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("\x1bcx", "x"),
        ("\x1b(0x", "x"),
        ("a\rb", "a\nb"),
        ("a\r\nb", "a\nb"),
        ("a\x08\x08b", "ab"),
        ("\u202egnp.exe", "gnp.exe"),
        ("tab\tstays\nnewline too", "tab\tstays\nnewline too"),
        ("\x1b", ""),
        ("\x1b[", ""),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_escape_sequences_are_gone(hostile, left):
    assert safe(hostile) == left


@given(st.text())
def test_nothing_that_steers_a_terminal_is_left(text):
    left = safe(text)
    assert {unicodedata.category(c) for c in left if c not in "\n\t"}.isdisjoint({"Cc"})
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", left)
    assert safe(left) == left


@given(st.text(), st.integers(5, 50))
def test_one_line_is_one_line(text, longest):
    line = one_line(text, longest)
    assert len(line.splitlines()) <= 1
    assert len(line) <= longest
