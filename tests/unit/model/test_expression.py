"""The small language of shapes, scalars and work: exact over integers, and nothing else gets in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbot_core.model.expression import ExpressionError, evaluate

DIMS = {"m": 12, "n": 7, "k_2": 1 << 40}
NAMES = ["cdiv", "max", "min"]


def cdiv(a, b):
    return -(-a // b)


def expressions():
    """Text that is Python too, so that Python itself is the oracle."""
    leaves = st.one_of(st.sampled_from(sorted(DIMS)), st.integers(0, 2**70).map(str))

    def larger(inner):
        binary = st.tuples(inner, st.sampled_from(["+", "-", "*", "//"]), inner).map("({0[0]} {0[1]} {0[2]})".format)
        calls = st.tuples(st.sampled_from(NAMES), inner, inner).map("{0[0]}({0[1]}, {0[2]})".format)
        return st.one_of(binary, calls, inner.map("({})".format), inner.map("max({})".format))

    return st.recursive(leaves, larger, max_leaves=12)


@given(expressions())
def test_it_is_exact(text):
    names = {"cdiv": cdiv, "min": min, "max": lambda *a: max(a), "__builtins__": {}}
    try:
        wanted = eval(text, names, DIMS)
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="divides by zero"):
            evaluate(text, DIMS)
        return
    assert evaluate(text, DIMS) == wanted


@given(st.text(max_size=40))
def test_any_other_text_is_one_error_and_one_line(text):
    try:
        found = evaluate(text, DIMS)
    except ExpressionError as exc:
        said = str(exc)
    else:
        assert isinstance(found, int)
        return
    assert len(said.splitlines()) == 1


@given(st.integers(1, 2**62), st.integers(1, 2**31))
def test_cdiv_rounds_up(a, b):
    found = evaluate("cdiv(a, b)", {"a": a, "b": b})
    assert (found - 1) * b < a <= found * b


def test_sizeof():
    assert evaluate("3 * n * sizeof(T)", DIMS, {"T": "bf16"}) == 42
    assert evaluate("sizeof(fp64)", {}) == 8
    with pytest.raises(ExpressionError, match="sizeof"):
        evaluate("sizeof(T)", DIMS)


def test_a_plain_integer_is_itself():
    assert evaluate(5, {}) == 5


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "q", "n n", "n +", "1.5", "'n'", "True", "None", "n ** 2", "n / 2", "n % 2", "n << 3", "-",
        "n if m else 1", "n < m", "[n]", "n[0]", "n.real", "(lambda: 1)()", "__import__('os')", "min()", "min(*[1])",
        "max(n, key=1)", "cdiv(n)", "cdiv(1, 2, 3)", "sizeof(n + 1)", "sizeof('T')", "open(n)", "(n := 3)", "n\0",
        "f'{n}'", "n; m", "(" * 500 + "n" + ")" * 500, "+".join(["n"] * 20_000),
    ],
)  # fmt: skip
def test_nothing_else_gets_in(text):
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, DIMS)
    assert len(str(caught.value).splitlines()) == 1


def test_the_message_names_the_part_and_the_dimensions():
    with pytest.raises(ExpressionError, match=r"'q' is not a dimension.*dimensions here: m, n, k_2"):
        evaluate("m * (n + q)", DIMS)


@pytest.mark.parametrize("text", ["q" * 10_000, "n" * 10_000 + " +", "n // 0" + " + 1" * 200])
def test_a_message_quotes_no_more_than_one_can_read(text):
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, DIMS)
    assert len(str(caught.value)) < 250
    assert "…" in str(caught.value)
